import * as openQuestions from '../../../nodes/Messaging/sendAndWait/openQuestion';
import { serve } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { accepting, linksIn, question, QuestionRun } from './questionRun';

const harness = useHarness();
describe('the link of a question', () => {
	afterEach(() => jest.restoreAllMocks());

	test.each(['/n8n', '/some/path'])(
		'below the path %s is signed without it, and contains nothing else',
		async (path) => {
			jest.spyOn(openQuestions, 'newQuestionId').mockReturnValue('abcdefghijkl');
			const asked = serve(accepting);
			await QuestionRun.start(harness, question());
			await QuestionRun.start(harness, question(), { address: `https://n8n.test${path}` });
			const [link, behindPath] = linksIn(asked).map((each) => new URL(each));
			expect(Object.fromEntries(link.searchParams)).toEqual({
				question: 'abcdefghijkl',
				signature: expect.stringMatching(/^[0-9a-f]{64}$/),
			});
			// The reverse proxy removes the path, and n8n checks the remaining part.
			expect(behindPath.pathname).toBe(path + link.pathname);
			expect(behindPath.search).toBe(link.search);
		},
	);

	test('differs between two questions', async () => {
		const asked = serve(accepting);
		await QuestionRun.start(harness, question());
		await QuestionRun.start(harness, question());
		const ids = linksIn(asked).map((link) => new URL(link).searchParams.get('question'));
		expect(new Set(ids).size).toBe(2);
	});
});
