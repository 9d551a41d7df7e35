import { Effect } from "effect"
import type { Job } from "../model/Job.js"
import { expect, type Parts, remove } from "../ports/Changes.js"
import { lookup, type ReadError, type Storage } from "../ports/Storage.js"

/**
 * Deletes the existing jobs with these ids, or those of them that `which` selects. A process that runs one of them
 * loses its lease.
 */
export const deleteJobs = (
  storage: Pick<Storage, "read">,
  ids: ReadonlyArray<string>,
  which: (job: Job) => boolean = () => true
): Effect.Effect<Parts, ReadError> =>
  Effect.map(storage.read(Object.fromEntries(ids.map((id) => [id, lookup("jobs", { id })] as const))), (found) => {
    const jobs = Object.values(found).flat().filter(which)
    return {
      expects: jobs.map(({ id }) => expect("jobs", { id })),
      deletes: jobs.map(({ id }) => remove("jobs", { id }))
    }
  })
