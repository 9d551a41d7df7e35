import type { Job } from "../../model/Job.js"

/** Whether a housekeeping task is over, or is repeated after a minute, with the same or another payload of its job. */
export type TaskResult = "done" | "later" | { readonly later: Job["payload"] }

/** The payload of the second run of a task that runs twice, for commits that were under way at its first run. */
export const secondRun = (payload: Job["payload"]) => ({ ...payload, isSecondRun: true })

export const isSecondRun = (payload: Job["payload"]): boolean => payload?.isSecondRun === true
