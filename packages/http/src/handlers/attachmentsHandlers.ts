import { type Caller, Uploads, uploadResource } from "@parley/core"
import { Effect } from "effect"
import type { AttachmentsGroup } from "../contract/AttachmentsGroup.js"
import { type GroupHandlers, valid } from "../server/Call.js"
import { receiveFile } from "./receiveFile.js"

/** Implements the group `attachments` of the contract. */
export const attachmentsHandlers: Effect.Effect<
  GroupHandlers<typeof AttachmentsGroup, Caller>,
  never,
  Uploads
> = Effect.map(Uploads, (uploads) => ({
  create: (call) =>
    receiveFile(
      uploads,
      call,
      Effect.map(valid(call), ({ query: { fileName } }) => ({
        uploader: { _tag: "Application", caller: call.caller },
        fileName
      }))
    ),
  get: ({ caller, path }) =>
    Effect.map(uploads.get(caller.application.id, path.id), (upload) => ({ data: uploadResource(upload) }))
}))
