import { Effect } from "effect"
import type { AdminClient, Page, Resource } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import type { Kind } from "./resource.js"

/**
 * The id of the resource with this name in a workspace, or in any workspace if none is given; null if absent.
 * Fails if several have the name.
 */
export const idNamed = (
  client: AdminClient,
  { noun, path }: Kind,
  workspace: string | null,
  name: string
): Effect.Effect<string | null, CommandFailed> =>
  Effect.gen(function* () {
    const found: Array<Resource> = []
    const query = { workspace_id: workspace, limit: Number.POSITIVE_INFINITY }
    for (let page: Page | null = yield* client.list(path, query); page !== null; ) {
      found.push(...page.rows.filter((one) => one.name === name))
      page = page.next === null ? null : yield* page.next
    }
    if (found.length > 1) {
      const ids = found.map(({ id }) => id).join(", ")
      return yield* new CommandFailed({
        message: `More than one ${noun} has the name ${name}; give one of these ids: ${ids}`
      })
    }
    return found[0] === undefined ? null : String(found[0].id)
  })
