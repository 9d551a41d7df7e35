import { type Caller, Uploads, uploadResource } from "@parley/core"
import { Effect } from "effect"
import type { AttachmentsGroup } from "../contract/AttachmentsGroup.js"
import { type GroupHandlers, valid } from "../server/Call.js"
import { fileOf } from "./fileOf.js"

/** Implements the group `attachments` of the contract. */
export const attachmentsHandlers: Effect.Effect<
  GroupHandlers<typeof AttachmentsGroup, Caller>,
  never,
  Uploads
> = Effect.map(Uploads, (uploads) => ({
  create: (call) => {
    const { caller, idempotency, incoming } = call
    return Effect.flatMap(valid(call), ({ query }) =>
      uploads.create(caller, { ...fileOf(incoming, query.fileName ?? null), idempotency })
    ).pipe(
      Effect.tapErrorTag("Refusal", () => incoming.discard ?? Effect.void),
      Effect.catchTag("BodyCutOff", () => Effect.interrupt)
    )
  },
  get: ({ caller, path }) => Effect.map(uploads.get(caller, path.id), (upload) => ({ data: uploadResource(upload) }))
}))
