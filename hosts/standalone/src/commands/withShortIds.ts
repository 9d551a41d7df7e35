import { Effect } from "effect"
import type { AdminClient, Page } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import type { Target } from "./Target.js"

/** How many of the newest resources are searched for a short id. */
const searched = 1_000

/** The end of an id: its last 12 digits, or more with the dashes between them. */
const end = "(?=.{12,35}(?:[/?]|$))(?:[0-9a-f-]*-)?[0-9a-f]{12}"
/** The first short id of a path, after the collection in which it is. */
const shortIn = new RegExp(`^(/.*?)/(${end})(?=[/?]|$)`)
const wholeShort = new RegExp(`^${end}$`)
const isShort = (value: unknown): value is string => typeof value === "string" && wholeShort.test(value)

/** The collections of fields and parameters that name a resource. */
const collections: { readonly [field: string]: string | undefined } = {
  agent_id: "/agents",
  application_id: "/applications",
  assigned_team_id: "/teams",
  assigned_user_id: "/agents",
  connection_id: "/connections",
  contact_id: "/contacts",
  conversation_id: "/conversations",
  workspace_id: "/workspaces"
}

/** A client that takes short ids where the API takes ids: it looks for them in the newest resources of their kind. */
export const withShortIds = (
  { call, list, upload }: AdminClient,
  { workspaceId }: Pick<Target, "workspaceId">
): AdminClient => {
  /** The ids of a collection that end so; none if the API refuses to list it so. */
  const search = (collection: string, short: string, workspace: string | null) =>
    Effect.gen(function* () {
      const query = workspace === null ? {} : { workspace_id: workspace }
      const found: Array<string> = []
      let page: Page | null = yield* list(collection, { ...query, limit: searched })
      while (page !== null) {
        for (const { id } of page.rows) if (typeof id === "string" && id.endsWith(short)) found.push(id)
        page = page.next === null ? null : yield* page.next
      }
      return found
    }).pipe(
      Effect.catchIf(
        ({ refused }) => refused !== undefined,
        () => Effect.succeed<ReadonlyArray<string>>([])
      )
    )

  const complete = (collection: string, short: string): Effect.Effect<string, CommandFailed> =>
    Effect.gen(function* () {
      const first = yield* search(collection, short, collection === "/workspaces" ? null : workspaceId)
      const found = new Set(first)
      if (found.size === 0) {
        // Some collections are listed by workspace only.
        const { rows } = yield* list("/workspaces", { limit: 100 })
        for (const { id } of rows) for (const one of yield* search(collection, short, String(id))) found.add(one)
      }
      const [id, ...others] = found
      if (id !== undefined && others.length === 0) return id
      if (id !== undefined) {
        const candidates = [id, ...others].map((one) => `\n  ${one}`).join("")
        return yield* new CommandFailed({
          message: `${found.size} ids end in ${short}. Give more of the one that you mean, such as ${id.slice(-17)}:${candidates}`
        })
      }
      return yield* new CommandFailed({
        message: `No id that ends in ${short} was found. Give the complete id, which lists print with --json or into a pipe.`
      })
    })

  const completePath = (path: string): Effect.Effect<string, CommandFailed> => {
    const [all = "", collection, short] = shortIn.exec(path) ?? []
    if (collection === undefined || short === undefined) return Effect.succeed(path)
    return Effect.flatMap(complete(collection, short), (id) =>
      completePath(`${collection}/${id}${path.slice(all.length)}`)
    )
  }

  const completeFields = <Fields extends { readonly [name: string]: unknown }>(
    fields: Fields
  ): Effect.Effect<Fields, CommandFailed> =>
    Effect.gen(function* () {
      const completed: { [name: string]: unknown } = { ...fields }
      for (const [name, value] of Object.entries(fields)) {
        const collection = collections[name]
        if (collection !== undefined && isShort(value)) completed[name] = yield* complete(collection, value)
      }
      return completed as Fields
    })

  return {
    call: (method, path, body) =>
      Effect.gen(function* () {
        return yield* call(method, yield* completePath(path), body && (yield* completeFields(body)))
      }),
    upload: (path, query, file) => Effect.flatMap(completeFields(query), (query) => upload(path, query, file)),
    list: (path, query) =>
      Effect.gen(function* () {
        return yield* list(yield* completePath(path), yield* completeFields(query))
      })
  }
}
