import type { Answer, CommitError, Idempotency, Refusal, Uploader, Uploads } from "@parley/core"
import { Effect } from "effect"
import type { Incoming } from "../server/Incoming.js"
import { fileOf } from "./fileOf.js"

/** Stores the file in a request (docs/reference/content.md#uploads). */
export const receiveFile = (
  uploads: Pick<Uploads, "create">,
  uploader: Uploader,
  { idempotency, incoming }: { readonly idempotency: Idempotency | null; readonly incoming: Incoming },
  fileName: string | null
): Effect.Effect<Answer, Refusal | CommitError> =>
  uploads.create(uploader, { ...fileOf(incoming, fileName), idempotency }).pipe(
    Effect.tapErrorTag("Refusal", () => incoming.discard ?? Effect.void),
    Effect.catchTag("BodyCutOff", () => Effect.interrupt)
  )
