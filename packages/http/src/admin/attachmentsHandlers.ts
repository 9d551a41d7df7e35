import { Uploads, uploadResource } from "@parley/core"
import { Effect } from "effect"
import { receiveFile } from "../handlers/receiveFile.js"
import { type GroupHandlers, valid } from "../server/Call.js"
import type { AttachmentsGroup } from "./AttachmentsGroup.js"
import type { Administrator } from "./adminAdmission.js"

/** Implements the group `attachments` of the contract. */
export const attachmentsHandlers: Effect.Effect<
  GroupHandlers<typeof AttachmentsGroup, Administrator>,
  never,
  Uploads
> = Effect.map(Uploads, (uploads) => ({
  create: (call) =>
    Effect.flatMap(valid(call), ({ query: { fileName, workspaceId } }) =>
      receiveFile(uploads, { _tag: "Administrator", actor: call.caller.actor, workspaceId }, call, fileName)
    ),
  get: ({ path }) => Effect.map(uploads.get(null, path.id), (upload) => ({ data: uploadResource(upload) }))
}))
