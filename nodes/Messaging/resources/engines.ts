/*
 * What an operation needs only when it is executed. The build makes a file of its own of it, because n8n loads all nodes at
 * each start (gulpfile.js).
 */
export { reports } from '../report/reports';
export { askAndWait } from '../sendAndWait/askAndWait';
export { send } from '../sending/send';
export { templateComposer } from '../templates/compose';
