/**
 * Tells n8n's assistants, which build workflows, what an option is without it. They read its default as that, but it is what a
 * person gets who adds the option.
 */
export const leftOut = (value: string) => ({
	builderHint: {
		propertyHint: `Left out, it is ${value}; the default is only for a person who adds this option.`,
	},
});
