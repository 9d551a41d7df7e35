import { UuidIds } from "@parley/node"
import { plainStory } from "../floor/story/plainStory.js"
import { ruledStory } from "../floor/story/ruledStory.js"
import { storyRunner } from "../floor/story/runStories.js"
import { storyOnPostgres } from "../floor/story/storyOnPostgres.js"
import { storyOnSqlite } from "../floor/story/storyOnSqlite.js"
import { type RoundResult, rateOf } from "../measuring/RoundResult.js"
import type { Store } from "../world/Store.js"
import { type Seed, seed } from "../world/seed.js"
import type { Handles } from "../world/traffic.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface StoriesByHandSetting {
  readonly store: Store
  readonly seed: Seed
  /** Whether the engine's rules decide, or nothing does. */
  readonly rules: "called" | "none"
}

/** Sends a number of messages and waits until the last of their webhooks is recorded. */
export interface StoriesByHandOrder {
  readonly messages: number
  readonly handles: Handles
}

const { rules, seed: given, store } = settingOf<StoriesByHandSetting>()
await seed(store, given)
const ids = UuidIds.make()
const database = store.kind === "postgres" ? await storyOnPostgres(store.url) : storyOnSqlite(store.file)
const run = storyRunner(database, rules === "called" ? ruledStory(ids) : plainStory(ids), ids)

answerOrders<StoriesByHandOrder>(async ({ handles, messages }): Promise<RoundResult> => {
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  await run(messages, handles)
  const elapsedMs = performance.now() - start
  const { system, user } = process.cpuUsage(cpu)
  return rateOf(messages, elapsedMs, user + system)
})
