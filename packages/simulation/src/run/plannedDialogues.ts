import type { Chance } from "./Chance.js"
import { keyword, type PlannedBot } from "./dialogues.js"
import type { Step } from "./Step.js"

const timeOuts = ["10s", "1m", "5m"] as const
const probability = 0.4

/** The steps of dialogues in a history: bots, what customers write to them, and people who take over. */
export const dialoguesOf = (
  chance: Chance,
  {
    connections,
    durationMs,
    people,
    takesOver
  }: {
    readonly connections: ReadonlyArray<{ readonly id: string; readonly workspaceId: string }>
    readonly people: ReadonlyArray<string>
    readonly durationMs: number
    /** Whether agents reply and administrators resolve conversations. */
    readonly takesOver: boolean
  }
): ReadonlyArray<Step> => {
  if (!chance.happens(probability)) return []
  const time = () => chance.between(0, durationMs)
  const workspaceIds = [...new Set(connections.map(({ workspaceId }) => workspaceId))]
  const bots = workspaceIds.map((workspaceId): Step => {
    const own = connections.filter((one) => one.workspaceId === workspaceId).map(({ id }) => id)
    const newConversationOn = chance.happens(0.5) ? own.filter(() => chance.happens(0.5)) : []
    const ending = chance.pick(["finish", "hand_off"] as const)
    const bot: PlannedBot = { workspaceId, newConversationOn, timeOut: chance.pick(timeOuts), ending }
    return { at: chance.between(0, 200), action: { type: "publish-bot", bot } }
  })
  // Few connections, so that dialogues meet in one conversation.
  const used = [chance.pick(connections), chance.pick(connections)]
  const dialogues = Array.from({ length: chance.between(1, 3) }, (_, n) =>
    dialogue(chance, {
      connectionId: chance.pick(used).id,
      from: chance.pick(people),
      begins: time(),
      name: `item ${n}`
    })
  )
  const takeovers = Array.from({ length: takesOver ? chance.between(0, 3) : 0 }, (): Step => {
    const type = chance.pick(["reply", "reply", "resolve"] as const)
    return { at: time(), action: { type, workspaceId: chance.pick(workspaceIds), nth: chance.between(0, 5) } }
  })
  return [...bots, ...dialogues.flat(), ...takeovers]
}

/** What a customer writes from the keyword to the last answer: mostly what the bot asks for. `name`: unique. */
export const dialogue = (
  chance: Chance,
  {
    begins,
    connectionId,
    from,
    name
  }: { readonly connectionId: string; readonly from: string; readonly begins: number; readonly name: string }
): ReadonlyArray<Step> => {
  const pauseMs = chance.pick([0, 20, 500, 3_000])
  const number = String(chance.between(1, 9))
  const texts = [keyword, `${name}.1`, ...(chance.happens(0.2) ? [`${name}.2`] : []), number, `${name}.3`]
  return texts
    .filter(() => chance.happens(0.95))
    .map((text, n) => ({
      at: begins + n * (pauseMs + chance.between(0, pauseMs)),
      action: { type: "write", connectionId, from, text }
    }))
}
