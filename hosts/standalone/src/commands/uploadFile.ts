import { basename, extname } from "node:path"
import { Effect } from "effect"
import type { AdminClient, Resource } from "./AdminClient.js"
import type { CommandFailed } from "./CommandFailed.js"
import { readFileBytes } from "./readTextFile.js"

/** The maximum size of a file to upload, in bytes: above what channels take. */
const maxUploadBytes = 100 * 1_048_576

const office = "application/vnd.openxmlformats-officedocument"

/** Media types that the first bytes of a file do not tell, by the end of its name. */
const types: { readonly [extension: string]: string | undefined } = {
  ".csv": "text/csv",
  ".docx": `${office}.wordprocessingml.document`,
  ".pptx": `${office}.presentationml.presentation`,
  ".txt": "text/plain",
  ".xlsx": `${office}.spreadsheetml.sheet`
}

/** Uploads a file to send it in conversations of a workspace. */
export const uploadFile = (
  client: AdminClient,
  workspaceId: string,
  path: string
): Effect.Effect<Resource, CommandFailed> =>
  Effect.gen(function* () {
    const bytes = yield* readFileBytes(path, maxUploadBytes)
    const contentType = types[extname(path).toLowerCase()] ?? "application/octet-stream"
    const query = { workspace_id: workspaceId, file_name: basename(path) }
    return yield* client.upload("/attachments", query, { bytes, contentType })
  })
