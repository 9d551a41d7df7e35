import { AdminAgents, type Agent, agentResource, Files } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { AgentsGroup } from "./AgentsGroup.js"
import type { Administrator } from "./adminAdmission.js"

/** Implements the group `agents` of the contract. */
export const agentsHandlers: Effect.Effect<
  GroupHandlers<typeof AgentsGroup, Administrator>,
  never,
  AdminAgents | Files
> = Effect.gen(function* () {
  const agents = yield* AdminAgents
  const files = yield* Files
  const shown = (agent: Agent, base: string) =>
    Effect.map(files.links(base), (links) => ({ data: agentResource(agent, links) }))
  return {
    create: ({ body, base }) => Effect.flatMap(agents.create(body), (agent) => shown(agent, base)),
    list: ({ query, url, base }) =>
      Effect.zipWith(agents.list(query), files.links(base), (page, links) =>
        pageOf(url, page, (agent) => agentResource(agent, links))
      ),
    get: ({ path, base }) => Effect.flatMap(agents.get(path.id), (agent) => shown(agent, base)),
    update: ({ path, body, base }) => Effect.flatMap(agents.update(path.id, body), (agent) => shown(agent, base))
  }
})
