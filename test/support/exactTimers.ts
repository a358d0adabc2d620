/** Makes the times at which requests are sent exact, by fake timers. @returns a function that lets ms pass */
export function useExactTimers() {
	beforeEach(() => {
		jest.useFakeTimers();
		jest.spyOn(Math, 'random').mockReturnValue(1);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});
	return async (ms: number) => {
		await jest.advanceTimersByTimeAsync(ms);
	};
}
