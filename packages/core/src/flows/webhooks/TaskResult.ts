import type { Job } from "../../model/Job.js"

/** A housekeeping task is done, or runs again after a minute with this payload of its job. */
export type TaskResult = "done" | { readonly again: Job["payload"] }

/** Payload of the second run of a task that also covers the commits that are under way at its first run. */
export const secondRun = <P extends Job["payload"]>(payload: P) => ({ ...payload, isSecondRun: true })

export const isSecondRun = (payload: Job["payload"]): boolean => payload?.isSecondRun === true
