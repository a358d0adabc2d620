/*
 * What is needed only when an operation is executed, or when the editor asks. The build makes a file of its own of it, because
 * n8n loads all nodes at each start (gulpfile.js).
 */
export { searchCampaigns } from '../methods/searchCampaigns';
export { searchChannels, searchSenders } from '../methods/searchChannels';
export { searchOtpTemplates } from '../methods/searchOtpTemplates';
export { searchLanguages, searchTemplates } from '../methods/searchTemplates';
export { templatePlaceholders } from '../methods/templatePlaceholders';
export { templatePreview } from '../methods/templatePreview';
export { reports } from '../report/reports';
export { askAndWait } from '../sendAndWait/askAndWait';
export { namesOf } from '../sending/recipients';
export { send } from '../sending/send';
export { templateComposer } from '../templates/compose';
