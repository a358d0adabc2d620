import parse, { type CountryCode, type MetadataJson } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.max.json';

/*
 * The build puts this file and what it imports into a bundle of its own (gulpfile.js): the numbering plans of all countries. They
 * are the full ones: the smaller ones take numbers of any area for known ones.
 */
const allPlans = metadata as unknown as MetadataJson;

/** Reads a number as people in the country dial it; undefined if it cannot be one. */
export const parsePhone = (number: string, country?: string) =>
	parse(number, { defaultCountry: country as CountryCode | undefined, extract: false }, allPlans);
