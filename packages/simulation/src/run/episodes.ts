import type { Chance } from "./Chance.js"
import type { Action, Disturbance, Step } from "./Step.js"
import { goodMood } from "./Vendor.js"

/** What the steps of an episode choose from. */
interface Setting {
  readonly applications: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly connectionIds: ReadonlyArray<string>
  }>
  readonly connections: ReadonlyArray<{
    readonly id: string
    readonly channel: string
    readonly dedupes: boolean
    readonly unknownSends: "hold" | "resend"
  }>
  /** The URLs of receivers of webhooks. */
  readonly receivers: ReadonlyArray<string>
  /** Whether a process may stall, and another one take its work over. */
  readonly mayStall: boolean
  /** The time in ms in which the rest of the history happens. */
  readonly durationMs: number
}

/** A customer whom nothing else in a history writes to. */
const customer = "+491700000005"
/** Longer than a lease. */
const longStallMs = 20_000

/** Steps with times in ms after the start of the episode. */
type Episode = (chance: Chance, setting: Setting) => ReadonlyArray<Step>

const act = (at: number, action: Action): Step => ({ at, action })
const disturb = (at: number, disturbance: Disturbance): Step => ({ at, disturbance })

/** Sends to the customer, from `from` on. Each has a key of its own. */
const sends = (
  application: string,
  channel: string,
  count: number,
  { from, every }: { readonly from: number; readonly every: number }
): ReadonlyArray<Step> =>
  Array.from({ length: count }, (_, n) =>
    act(from + n * every, {
      type: "send",
      application,
      channel,
      to: customer,
      key: `episode ${n}`,
      text: `part ${n}`,
      reference: null
    })
  )

/** A connection of an application; null if it has none. */
const pickConnection = (chance: Chance, { applications, connections }: Setting) => {
  const application = chance.pick(applications)
  const own = connections.filter(({ id }) => application.connectionIds.includes(id))
  return own.length === 0 ? null : { application, connection: chance.pick(own) }
}

/** A connection that never sends a message of unknown outcome again. */
const pickHolding = (chance: Chance, setting: Setting) =>
  pickConnection(chance, {
    ...setting,
    connections: setting.connections.filter(({ dedupes, unknownSends }) => !dedupes && unknownSends === "hold")
  })

/** A customer says STOP, as the first word or later, and is written to nevertheless. */
const optOut: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const write = (at: number, text: string) =>
    act(at, { type: "write", connectionId: connection.id, from: customer, text })
  return [
    ...(chance.happens(0.5) ? [write(0, "hello")] : []),
    write(2_000, "STOP"),
    ...sends(application.name, connection.channel, 3, { from: 4_000, every: 2_000 })
  ]
}

/** A key is used until it is revoked, and afterwards. */
const revokedKey: Episode = (chance, { applications }) => {
  const { id, name } = chance.pick(applications)
  return [
    act(0, { type: "issue-key", application: { id, name } }),
    act(500, { type: "use-key", nth: 0 }),
    act(1_500, { type: "revoke-key", nth: 0 }),
    ...[2_500, 4_000, 8_000].map((at) => act(at, { type: "use-key", nth: 0 }))
  ]
}

/** More sends than an application may make in a minute, after a few replays of the first one. */
const manySends: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const all = sends(application.name, connection.channel, 23, { from: 3_000, every: 100 })
  const replays = all.slice(0, 1).flatMap((first) => [0, 700, 1_400, 2_100].map((at) => ({ ...first, at })))
  return [...replays, ...all.slice(1)]
}

/** More requests than an application may make in a minute: until the limit at once, and late in the same minute. */
const manyRequests: Episode = (chance, { applications }) => {
  const { name } = chance.pick(applications)
  const read = (at: number) => act(at, { type: "read", application: name, what: "conversations", nth: 0 })
  return [...Array.from({ length: 64 }, (_, n) => read(n * 50)), ...[50_000, 52_000, 54_000].map(read)]
}

/** Ends an episode, so that the history does not end before. */
const until = (at: number, application: string): Step =>
  act(at, { type: "read", application, what: "conversations", nth: 0 })

/** A vendor that does not dedupe takes messages and never answers, until a send has timed out. */
const silence: Episode = (chance, setting) => {
  const picked = pickHolding(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    disturb(0, { type: "vendor", mood: { ...goodMood, neverAnswers: 1 } }),
    ...sends(application.name, connection.channel, 2, { from: 200, every: 500 }),
    disturb(3_000, { type: "vendor", mood: goodMood }),
    until(65_000, application.name)
  ]
}

/** A process loses its lease between a claim and the call of a vendor that does not dedupe. */
const stallBeforeAttempt: Episode = (chance, setting) => {
  const picked = pickHolding(chance, setting)
  if (picked === null || !setting.mayStall) return []
  const { application, connection } = picked
  return [
    disturb(0, { type: "stall-at", call: "beginAttempt", ms: longStallMs }),
    ...sends(application.name, connection.channel, 2, { from: 200, every: 500 }),
    until(longStallMs + 5_000, application.name)
  ]
}

/** A contact is erased while webhooks about it wait for their next attempt. */
const erasure: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    ...setting.receivers.map((url) => disturb(0, { type: "receiver", url, mood: "fails" })),
    ...sends(application.name, connection.channel, 2, { from: 200, every: 500 }),
    act(4_000, { type: "erase", nth: -1 }),
    ...setting.receivers.map((url) => disturb(6_000, { type: "receiver", url, mood: "works" })),
    until(20_000, application.name)
  ]
}

const episodes: ReadonlyArray<Episode> = [
  optOut,
  revokedKey,
  manySends,
  manyRequests,
  silence,
  silence,
  stallBeforeAttempt,
  stallBeforeAttempt,
  erasure
]
const probability = 0.7

/**
 * A few steps in a row that put one promise to the test. By chance alone, a short history seldom has them together and
 * in order. They may last longer than the rest of the history. Empty in a third of the histories.
 */
export const episodeOf = (chance: Chance, setting: Setting): ReadonlyArray<Step> => {
  if (!chance.happens(probability)) return []
  const from = chance.between(0, Math.floor(setting.durationMs / 2))
  const possible = episodes.map((episode) => episode(chance, setting)).filter((steps) => steps.length > 0)
  return chance.pick(possible).map((step) => ({ ...step, at: from + step.at }))
}
