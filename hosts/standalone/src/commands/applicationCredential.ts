import { Effect } from "effect"
import { apiCommand, applicationOption, argument, type CommandContext, limitOption, needed } from "./apiCommand.js"
import { type Column, printList, printOne } from "./output.js"
import type { Kind } from "./resource.js"

/** The commands for one kind of credential of an application; `kind.path` is relative to the application. */
export const applicationCredential = (
  { command, noun, path }: Kind,
  columns: ReadonlyArray<Column>,
  describe: { readonly [name in "issue" | "list" | "revoke" | "rotate"]: string },
  issueName = "issue"
) => {
  const id = argument("id", `The ${noun}'s id, as parley ${command} list shows it`)
  const pathOf = (app: string | null, { target }: CommandContext) =>
    Effect.map(needed("app", app, target), (application) => `/applications/${encodeURIComponent(application)}${path}`)

  const act = (name: "revoke" | "rotate", method: "DELETE" | "POST", below: string) =>
    apiCommand(name, describe[name], { id, app: applicationOption }, ({ app, id }, tools) =>
      Effect.gen(function* () {
        const all = yield* pathOf(app, tools)
        yield* printOne(tools.json, yield* tools.client.call(method, `${all}/${encodeURIComponent(id)}${below}`))
      })
    )

  return [
    apiCommand(issueName, describe.issue, { app: applicationOption }, ({ app }, tools) =>
      Effect.gen(function* () {
        yield* printOne(tools.json, yield* tools.client.call("POST", yield* pathOf(app, tools)))
      })
    ),
    apiCommand("list", describe.list, { app: applicationOption, limit: limitOption }, ({ app, limit }, tools) =>
      Effect.gen(function* () {
        yield* printList(tools.json, yield* tools.client.list(yield* pathOf(app, tools), { limit }), columns)
      })
    ),
    act("revoke", "DELETE", ""),
    act("rotate", "POST", "/rotate")
  ] as const
}
