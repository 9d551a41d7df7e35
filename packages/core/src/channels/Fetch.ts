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

/** How a job goes on. */
export interface Fetched {
  /** When it is done again, and what it needs to know then; null: it is done for good. */
  readonly again: { readonly inMs: number; readonly payload: Job["payload"] } | null
  /** What is written together with that; where it cannot be any more, the job is done anew. */
  readonly parts?: Parts
}

/** Does what a job asks for; answers null when it is done for good. May be done twice. */
export type Fetch = (
  job: Job,
  reach: Reach
) => Effect.Effect<Fetched | null, ProviderUnavailable | BlobsUnavailable | Refusal | CommitError>
