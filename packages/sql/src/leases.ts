import type { Lease } from "@parley/core"
import type { Column } from "./Tables.js"

/** The columns of {@link leaseRows}. */
export const leaseColumns: ReadonlyArray<Column> = [
  { name: "jobId", sql: "id", kind: "uuid" },
  { name: "leasedEpoch", sql: "epoch", kind: "integer" }
]

/** SQL: whether the job `t` still has the lease `v`. */
export const isHeld = `t.id = v."jobId" AND t.epoch = v."leasedEpoch"`

/** SQL that returns the leases of the changed jobs, for {@link heldOf}. */
export const returningLeases = `RETURNING id AS "jobId", epoch`

/** The leases as rows, in the order in which commits lock jobs, to avoid deadlocks. */
export const leaseRows = (leases: ReadonlyArray<Lease>): string =>
  JSON.stringify(
    [...leases]
      .sort((one, other) => (one.jobId < other.jobId ? -1 : 1))
      .map(({ epoch, ...lease }) => ({ ...lease, leasedEpoch: epoch }))
  )

/** Whether a lease is one of the returned ones. */
export const heldOf = (returned: ReadonlyArray<any>): ((lease: Lease) => boolean) => {
  const epochs = new Map<unknown, unknown>(returned.map(({ epoch, jobId }) => [jobId, epoch]))
  return ({ epoch, jobId }) => epochs.get(jobId) === epoch
}
