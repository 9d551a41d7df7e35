import { Effect } from "effect"
import { channelOf } from "../../model/Channel.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Script } from "../../model/Script.js"
import type { ChannelProviders } from "../../ports/ChannelProvider.js"
import { lookup, lookupById, type ReadError, type Storage } from "../../ports/Storage.js"
import { addressOf, handleKind } from "../../resources/contacts/Handle.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import type { BotWorld } from "./BotWorld.js"

/**
 * Loads the world of a bot in a conversation. Undefined if the contact or the connection no longer exists. `run`: the
 * workflow run that starts or started the bot.
 */
export const loadBotWorld = (
  storage: Pick<Storage, "read">,
  providers: ChannelProviders,
  conversation: Conversation,
  script: Script,
  workflowRunId: string | null
): Effect.Effect<BotWorld | undefined, ReadError> =>
  Effect.gen(function* () {
    const { connectionId, handle, workspaceId } = conversation
    const definition = channelOf(providers.channels, conversation.channel)
    const [found, agents, teams] = yield* Effect.all(
      [
        storage.read({
          ...subscriberLookups(workspaceId),
          addresses: lookup("addresses", { workspaceId, ...addressOf(handleKind(definition), handle) }),
          connections: lookup("connections", { id: connectionId }),
          runs: lookupById("workflowRuns", workflowRunId)
        }),
        storage.read(
          Object.fromEntries(assigneeIds(script, "agentId").map((id) => [id, lookup("agents", { id })] as const))
        ),
        storage.read(
          Object.fromEntries(assigneeIds(script, "teamId").map((id) => [id, lookup("teams", { id })] as const))
        )
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
      channel: definition,
      capabilities: provider?.capabilities(connection),
      textProblem: (text: string) => provider?.textProblem?.(connection, text) ?? null,
      assignees: { agents: Object.values(agents).flat(), teams: Object.values(teams).flat() },
      run: found.runs[0],
      subscribers: { endpoints: found.endpoints, applications: found.applications }
    }
  })

/** Ids that the script hands off to. */
const assigneeIds = ({ steps }: Script, who: "agentId" | "teamId"): ReadonlyArray<string> => [
  ...new Set(steps.flatMap((step) => (step.type === "hand_off" ? (step[who] ?? []) : [])))
]
