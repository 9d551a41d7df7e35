import { Args, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import { apiCommand, needed, option, workspaceOption } from "./apiCommand.js"
import { byLines, type DefinitionFile, readDefinition } from "./definitions/DefinitionFile.js"
import { idNamed } from "./idNamed.js"
import { printOne } from "./output.js"
import { given, type Kind } from "./resource.js"
import { cell } from "./table.js"

/** The fields of a bot's file. */
const fields = ["name", "start", "greeting", "steps", "time_out", "time_out_text"] as const

/** The values of a bot's fields from a file; absent fields get their defaults. */
const fieldsOf = ({
  content: { greeting = null, name = null, start = {}, steps = [], time_out = "30m", time_out_text = null }
}: DefinitionFile) => ({ name, start, greeting, steps, time_out, time_out_text })

export const apply = (kind: Kind) =>
  apiCommand(
    "apply",
    "Create or update the bot with the name in the file; running sessions continue with the former script. Example: parley bot apply qualification.yaml --activate",
    {
      activate: Options.boolean("activate").pipe(Options.withDescription("Activate the bot")),
      id: option("id", "Update the bot with this id, whatever its name is"),
      workspace: workspaceOption,
      file: Args.text({ name: "file" }).pipe(
        Args.withDescription(`The script: a YAML or JSON file with ${fields.join(", ")}`)
      )
    },
    ({ activate, file: path, id, workspace }, { client, json, target }) =>
      Effect.gen(function* () {
        const workspace_id = yield* needed("workspace", workspace, target)
        const file = yield* readDefinition(path, fields)
        const { name } = file.content
        const known = id ?? (typeof name === "string" ? yield* idNamed(client, kind, workspace_id, name) : null)
        const body = { ...fieldsOf(file), ...given({ status: activate ? "active" : null }) }
        const bot = yield* Effect.mapError(
          known === null
            ? client.call("POST", kind.path, { workspace_id, ...body })
            : client.call("PATCH", `${kind.path}/${encodeURIComponent(known)}`, body),
          byLines(file)
        )
        if (json) return yield* printOne(json, bot)
        yield* Console.log(`${known === null ? "Created" : "Changed"} ${cell(bot.name)} (${bot.id}), ${bot.status}.`)
        if (bot.status !== "active") {
          yield* Console.error(`\nNothing starts it before: parley bot activate ${bot.id}`)
        }
      })
  )
