import type { Command } from "@effect/cli"
import { Effect } from "effect"
import type { Resource } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { argument, leaf } from "./leaf.js"
import { printOne } from "./output.js"

/** A kind of thing that the admin API has, and the group of commands for it. */
export interface Kind {
  /** The group: `app`. */
  readonly command: string
  /** What people call one of them: `application`. */
  readonly noun: string
  /** Where they are: `/applications`. */
  readonly path: string
}

/** Where one of them is. */
export const pathTo = ({ path }: Kind, id: string): string => `${path}/${encodeURIComponent(id)}`

/** The argument that names one of them. */
export const idOf = ({ command, noun }: Kind) => argument("id", `The ${noun}'s id, as parley ${command} list shows it`)

/** `show <id>`: one of them with all its fields. */
export const show = (kind: Kind) =>
  leaf(
    "show",
    `Show one ${kind.noun} with all its fields. Example: parley ${kind.command} show <id>`,
    { id: idOf(kind) },
    ({ id }, { client, json }) =>
      Effect.flatMap(client.call("GET", pathTo(kind, id)), (resource) => printOne(json, resource))
  )

/**
 * `update <id>`: changes what is given by these options, and nothing else. `patch` names their values as the API does; null is
 * one that was left out.
 */
export const update = <const Config extends Command.Command.Config>(
  kind: Kind,
  description: string,
  options: Config,
  patch: (input: Command.Command.ParseConfig<{ readonly options: Config }>["options"]) => Resource
) =>
  leaf("update", description, { options, id: idOf(kind) }, ({ id, options }, { client, json }) => {
    const changed = given(patch(options))
    if (Object.keys(changed).length === 0) {
      return new CommandFailed({
        message: `Say what to change: parley help ${kind.command} update has the options`,
        code: exitCodes.misused
      })
    }
    return Effect.flatMap(client.call("PATCH", pathTo(kind, id), changed), (resource) => printOne(json, resource))
  })

/** The fields that have a value. */
export const given = (fields: Resource): Resource =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
