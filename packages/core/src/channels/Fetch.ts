import type { Effect } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import type { BlobsUnavailable } from "../ports/Blobs.js"
import type { Parts } from "../ports/Changes.js"
import type { ChannelProvider, ProviderUnavailable } from "../ports/ChannelProvider.js"
import type { CommitError } from "../ports/Storage.js"
import type { Job } from "../worker/Job.js"
import type { Connection } from "./Connection.js"

/** A connection with all that it takes to ask its provider. */
export interface Reach {
  readonly connection: Connection
  readonly provider: ChannelProvider
  /** Opened. */
  readonly credentials: unknown
}

/** When a job is to be done again, and what it needs to know then. */
export interface Again {
  readonly inMs: number
  readonly payload: Job["payload"]
  /** What is written together with that; where it cannot be any more, the job is done anew. */
  readonly parts?: Parts
}

/** That a job is done for good, if something still holds. */
export interface Fetched {
  readonly done: Parts
}
export const fetched = (done: Parts): Fetched => ({ done })

/** Does what a job asks for; answers null when it is done for good. May be done twice. */
export type Fetch = (
  job: Job,
  reach: Reach
) => Effect.Effect<Again | Fetched | null, ProviderUnavailable | BlobsUnavailable | Refusal | CommitError>
