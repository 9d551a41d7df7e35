import { Effect } from "effect"
import { addressOf } from "../contacts/Handle.js"
import type { Conversation } from "../conversations/Conversation.js"
import { subscriberLookups } from "../events/Outbox.js"
import type { ChannelProviders } from "../ports/ChannelProvider.js"
import { lookup, lookupById, type ReadError, type Storage } from "../ports/Storage.js"
import type { BotWorld } from "./BotWorld.js"
import type { Script } from "./Script.js"

/**
 * Reads what a bot with this script may look at in a conversation; undefined where its contact or connection is gone. The run is
 * the one that starts the bot, or did.
 */
export const loadBotWorld = (
  storage: Pick<Storage, "read">,
  providers: ChannelProviders,
  conversation: Conversation,
  script: Script,
  workflowRunId: string | null
): Effect.Effect<BotWorld | undefined, ReadError> =>
  Effect.gen(function* () {
    const { channel, connectionId, handle, workspaceId } = conversation
    const [found, agents, teams] = yield* Effect.all(
      [
        storage.read({
          ...subscriberLookups(workspaceId),
          addresses: lookup("addresses", { workspaceId, ...addressOf(channel, handle) }),
          connections: lookup("connections", { id: connectionId }),
          runs: lookupById("workflowRuns", workflowRunId)
        }),
        storage.read(
          Object.fromEntries(takers(script, "agentId").map((id) => [id, lookup("agents", { id })] as const))
        ),
        storage.read(Object.fromEntries(takers(script, "teamId").map((id) => [id, lookup("teams", { id })] as const)))
      ],
      { concurrency: "unbounded" }
    )
    const contactId = found.addresses[0]?.contactId ?? conversation.contactId
    const { contacts } = yield* storage.read({ contacts: lookup("contacts", { id: contactId }) })
    const [connection] = found.connections
    const [contact] = contacts
    if (connection === undefined || contact === undefined) return undefined
    const provider = providers.byKind.get(connection.provider)
    return {
      conversation,
      contact,
      connection,
      capabilities: provider?.capabilities(connection),
      textProblem: (text: string) => provider?.textProblem?.(connection, text) ?? null,
      assignees: { agents: Object.values(agents).flat(), teams: Object.values(teams).flat() },
      run: found.runs[0],
      subscribers: { endpoints: found.endpoints, applications: found.applications }
    }
  })

/** Those whom the script hands off to. */
const takers = ({ steps }: Script, who: "agentId" | "teamId"): ReadonlyArray<string> => [
  ...new Set(steps.flatMap((step) => (step.type === "hand_off" ? (step[who] ?? []) : [])))
]
