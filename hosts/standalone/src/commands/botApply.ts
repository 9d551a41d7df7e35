import { Args, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import { byLines, type DefinitionFile, readDefinition } from "./definitions/DefinitionFile.js"
import { idNamed } from "./idNamed.js"
import { leaf, needed, option, workspaceOption } from "./leaf.js"
import { printOne } from "./output.js"
import { given, type Kind } from "./resource.js"
import { cell } from "./table.js"

/** All that a file says of a bot. */
const fields = ["name", "start", "greeting", "steps", "time_out", "time_out_text"] as const

/** What a file says of each field; what it leaves out is as if it had never been there. */
const saidBy = ({
  content: { greeting = null, name = null, start = {}, steps = [], time_out = "30m", time_out_text = null }
}: DefinitionFile) => ({ name, start, greeting, steps, time_out, time_out_text })

export const apply = (kind: Kind) =>
  leaf(
    "apply",
    "Create the bot that a file defines, or change the one of its name to be as the file says; dialogues that began go on as they began. Example: parley bot apply qualification.yaml --activate",
    {
      activate: Options.boolean("activate").pipe(Options.withDescription("Let it start from now on")),
      id: option("id", "Change this one, whatever it is called"),
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
        const body = { ...saidBy(file), ...given({ status: activate ? "active" : null }) }
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
