/** A leased delivery, with what its attempt needs. */
export interface LeasedDelivery {
  readonly id: string
  readonly epoch: number
  readonly version: number
  readonly workspaceId: string
  readonly endpointId: string
  readonly url: string
  readonly eventId: string
  readonly type: string
  readonly createdAt: number
  readonly externalReference: string | null
  readonly data: string
}

/** A delivery after its attempt. Times in ms. */
export interface AttemptedDelivery {
  readonly delivery: LeasedDelivery
  readonly attemptId: string
  readonly status: number
  readonly startedAt: number
  readonly endedAt: number
}

/** The queue of deliveries of a program by hand. Both functions use one durable transaction each. */
export interface BatchQueue {
  /** Leases the oldest due deliveries for 15 s. */
  readonly lease: (limit: number) => Promise<ReadonlyArray<LeasedDelivery>>
  /**
   * Records successful first attempts and deletes their jobs. Fails if a delivery was changed, a lease was lost or an
   * endpoint has counted failures: the general path, which this program does not have, would decide then.
   */
  readonly finish: (attempted: ReadonlyArray<AttemptedDelivery>) => Promise<void>
}

export const leaseMs = 15_000

export const unexpected = (): Error => new Error("A row is not as it was read: the program by hand cannot go on")
