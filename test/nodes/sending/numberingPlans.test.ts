import { NUMBERING_PLANS } from '../../../nodes/Messaging/sending/numberingPlans';
import { isUpdating, numberingPlans, writePlans } from '../../support/numberingPlans';

test('the numbering plans are those of libphonenumber-js; UPDATE_PLANS=1 writes them', () => {
	const plans = numberingPlans();
	if (isUpdating) writePlans(plans);
	else expect(NUMBERING_PLANS).toEqual(plans);
});
