export { showHint as sayIncomplete } from '../host/showHint';
