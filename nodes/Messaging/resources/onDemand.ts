/*
 * What is needed only when an operation is executed, or when the editor asks. The build makes a file of its own of it, because
 * n8n loads all nodes at each start (gulpfile.js).
 */
export { searchCampaigns } from '../editor/searchCampaigns';
export { searchChannels, searchSenders } from '../editor/searchChannels';
export { searchOtpTemplates } from '../editor/searchOtpTemplates';
export { searchLanguages, searchTemplates } from '../editor/searchTemplates';
export { templatePlaceholders } from '../editor/templatePlaceholders';
export { templatePreview } from '../editor/templatePreview';
export { reportEach } from '../report/reportEach';
export { askAndWait, mayHaveAsked } from '../sendAndWait/askAndWait';
export { failedRunItems } from '../sending/output';
export { runSend } from '../sending/runSend';
export { templateComposer } from '../templates/compose';
export { messageText, missingDoubt } from '../words/readable';
