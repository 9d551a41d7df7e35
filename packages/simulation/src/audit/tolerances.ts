/**
 * Times of hosts may differ by this much while the database is slow (docs/reference/queue.md#database-clock). In ms.
 */
export const clockSkew = 2_000

/** A process that lost its lease may still act on what it had read before (docs/reference/queue.md#lease). In ms. */
export const inFlight = 15_000

/** Time in ms within which a process without faults acts on what it has read. */
export const prompt = 500

/** Time limit of a provider call (docs/reference/provider-contract.md), in ms. */
export const providerTimeout = 60_000

/** Time limit of a webhook attempt (docs/reference/webhooks.md#time-and-size-limits), in ms. */
export const attemptTimeout = 10_000

/**
 * Time within which work that is due is done while there are no faults: a lease that has to end, and some work. In ms.
 */
export const settling = 60_000

/** Valid time of an idempotency record (docs/reference/idempotency.md#key-retention), in ms. */
export const keyRetention = 24 * 3_600_000
