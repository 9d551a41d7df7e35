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
    receiveFile(
      uploads,
      call,
      Effect.map(valid(call), ({ query: { fileName, workspaceId } }) => ({
        uploader: { _tag: "Administrator", actor: call.caller.actor, workspaceId },
        fileName
      }))
    ),
  get: ({ path }) => Effect.map(uploads.get(null, path.id), (upload) => ({ data: uploadResource(upload) }))
}))
