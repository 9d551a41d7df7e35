import type { Args, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import type { Resource } from "./AdminClient.js"
import { apiCommand, argument, limitOption, needed, workspaceOption } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { type Column, printList, printOne } from "./output.js"

/** A kind of resource of the admin API, and its command group. */
export interface Kind {
  /** The group: `app`. */
  readonly command: string
  /** The noun in texts: `application`. */
  readonly noun: string
  /** The path of the collection: `/applications`. */
  readonly path: string
}

/** The path of one resource. */
export const pathTo = ({ path }: Kind, id: string): string => `${path}/${encodeURIComponent(id)}`

/** The argument with the id of a resource. */
export const idOf = ({ command, noun }: Kind) => argument("id", `The ${noun}'s id, from parley ${command} list`)

/** `show <id>`: a resource with all its fields. */
export const show = (kind: Kind) =>
  act(kind, "show", `Show one ${kind.noun} with all its fields. Example: parley ${kind.command} show <id>`, {
    method: "GET"
  })

/** Options and arguments by the API's names of their values; null if absent. */
type Fields<Parameter> = { readonly [field: string]: Parameter }

/** A command that creates a resource of a workspace from these fields, and prints it. */
export const create = (
  { path }: Kind,
  name: "add" | "create",
  description: string,
  fields: Fields<Args.Args<unknown> | Options.Options<unknown>>
) =>
  apiCommand(
    name,
    description,
    { fields, workspace: workspaceOption },
    ({ fields, workspace }, { client, json, target }) =>
      Effect.gen(function* () {
        const workspace_id = yield* needed("workspace", workspace, target)
        yield* printOne(json, yield* client.call("POST", path, { workspace_id, ...given(fields) }))
      })
  )

/** `update <id>`: changes only the given fields. */
export const update = (kind: Kind, description: string, fields: Fields<Options.Options<unknown>>) =>
  apiCommand("update", description, { fields, id: idOf(kind) }, ({ fields, id }, { client, json }) =>
    changed(kind, fields).pipe(
      Effect.flatMap((body) => client.call("PATCH", pathTo(kind, id), body)),
      Effect.flatMap((resource) => printOne(json, resource))
    )
  )

/** The given fields, of which there must be one. */
export const changed = (
  kind: Kind,
  fields: { readonly [field: string]: unknown }
): Effect.Effect<Resource, CommandFailed> => {
  const body = given(fields)
  return Object.keys(body).length > 0
    ? Effect.succeed(body)
    : new CommandFailed({
        message: `Give a field to change: parley help ${kind.command} update lists the options`,
        code: exitCodes.misused
      })
}

type Filters = Fields<Options.Options<string | null>>

/** `list`: the resources of this path, filtered. */
export const list = (path: string, description: string, filters: Filters, columns: ReadonlyArray<Column>) =>
  apiCommand("list", description, { limit: limitOption, filters }, ({ filters, limit }, { client, json }) =>
    Effect.flatMap(client.list(path, { limit, ...filters }), (page) => printList(json, page, columns))
  )

/** A list below a resource, such as an endpoint's deliveries. */
export const listBelow = (
  kind: Kind,
  [name, path]: readonly [name: string, path: string],
  description: string,
  filters: Filters,
  columns: ReadonlyArray<Column>
) =>
  apiCommand(
    name,
    description,
    { id: idOf(kind), limit: limitOption, filters },
    ({ filters, id, limit }, { client, json }) =>
      Effect.flatMap(client.list(pathTo(kind, id) + path, { limit, ...filters }), (page) =>
        printList(json, page, columns)
      )
  )

/** A call about one resource. */
export interface Act {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** The path below that of the resource, such as `/check`. */
  readonly path?: string
  readonly body?: Resource
  /** The next step for the user, or null. */
  readonly next?: (answer: Resource, id: string) => string | null
}

/** A command that makes one call about a resource, and prints the answer. */
export const act = (kind: Kind, name: string, description: string, { body, method, next, path = "" }: Act) =>
  apiCommand(name, description, { id: idOf(kind) }, ({ id }, { client, json }) =>
    Effect.gen(function* () {
      const answer = yield* client.call(method, pathTo(kind, id) + path, body)
      yield* printOne(json, answer)
      const message = json ? null : (next?.(answer, id) ?? null)
      if (message !== null) yield* Console.error(`\n${message}`)
    })
  )

/** The fields that have a value. */
export const given = (fields: Resource): Resource =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
