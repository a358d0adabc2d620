import { text } from '../n8n/values';
import { getOtpTemplates } from '../service/endpoints';
import { askService } from './editorRequests';
import { inWords, editorList } from './listEntries';

/** Lists the OTP templates with language, status and text; the value is the id. Implements docs/development/interface.md, "Get OTP templates". */
export const searchOtpTemplates = editorList(async (context) => {
	const templates = await askService(context, async (ask) => await ask(getOtpTemplates()));
	return templates.map(({ id, name, locale, status, body }) => ({
		shown: [text(name) || id, locale, inWords(status)],
		value: id,
		description: body,
	}));
});
