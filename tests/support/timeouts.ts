/** How long tests wait for what takes seconds at most: a busy machine is many times as slow. */

/** The time after which a test fails. */
export const TEST_TIMEOUT = 120_000

/** The time after which a process of a test is ended: before the test fails, so that it can say why. */
export const PROCESS_TIMEOUT = 110_000

/** The time that a test polls: the default of a second is over before a busy machine shows anything. */
export const POLL_TIMEOUT = 30_000
