import type { Answer, CommitError, Idempotency, Refusal, Uploader, Uploads } from "@parley/core"
import { Effect } from "effect"
import type { Incoming } from "../server/Incoming.js"
import { fileOf } from "./fileOf.js"

/** Who sends a file, and its name if the request names it beside the bytes. */
export interface SentFile {
  readonly uploader: Uploader
  readonly fileName: string | null
}

/**
 * Stores the file in a request (docs/reference/content.md#uploads). After a refusal, also of the query, the rest of the
 * body is read, because many clients read no response before they have sent it.
 */
export const receiveFile = (
  uploads: Pick<Uploads, "create">,
  { idempotency, incoming }: { readonly idempotency: Idempotency | null; readonly incoming: Incoming },
  sent: Effect.Effect<SentFile, Refusal>
): Effect.Effect<Answer, Refusal | CommitError> =>
  Effect.flatMap(sent, ({ fileName, uploader }) =>
    uploads.create(uploader, { ...fileOf(incoming, fileName), idempotency })
  ).pipe(
    Effect.tapErrorTag("Refusal", () => incoming.discard ?? Effect.void),
    Effect.catchTag("BodyCutOff", () => Effect.interrupt)
  )
