import { Command } from "@effect/cli"
import { Effect } from "effect"
import { apiCommand, argument, needed, workspaceOption } from "./apiCommand.js"
import { printOne } from "./output.js"
import { pathTo } from "./resource.js"
import { uploadFile } from "./uploadFile.js"

const kind = { command: "attachment", noun: "upload", path: "/attachments" }

const upload = apiCommand(
  "upload",
  "Upload a file to send it in replies, for a day. Example: parley attachment upload prices.pdf",
  { path: argument("file", "The file"), workspace: workspaceOption },
  ({ path, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspaceId = yield* needed("workspace", workspace, target)
      yield* printOne(json, yield* uploadFile(client, workspaceId, path))
    })
)

const show = apiCommand(
  "show",
  "Show an upload until it expires. Example: parley attachment show <id>",
  { id: argument("id", "The upload's id, from parley attachment upload") },
  ({ id }, { client, json }) => Effect.flatMap(client.call("GET", pathTo(kind, id)), (upload) => printOne(json, upload))
)

export const attachment = Command.make("attachment").pipe(
  Command.withDescription("Files that agents send"),
  Command.withSubcommands([upload, show])
)
