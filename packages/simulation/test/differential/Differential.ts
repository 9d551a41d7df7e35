import { changes, type Storage, type TableName } from "@parley/core"
import { type MemoryDatabase, makeMemoryDatabase, memoryStorage, memoryWakeup } from "@parley/memory"
import { tableOf } from "@parley/sql"
import { Effect, FastCheck as fc } from "effect"
import { expect } from "vitest"
import { type Call, generateCall, generateGroup, insertOf, readAll } from "./generateCall.js"
import { aRow, canonical, type Generate, tableNames } from "./values.js"

const storageOf = (database: MemoryDatabase): Storage => memoryStorage(database, memoryWakeup(database))

const empty = () => makeMemoryDatabase({ clock: () => 0 })

/**
 * The tables of one history: few, so that its calls meet. Two that no history has written yet, and those which most
 * operations concern more often.
 */
const someTables = (generate: Generate, written: ReadonlySet<TableName>): ReadonlyArray<TableName> => {
  const next = tableNames.filter((name) => !written.has(name)).slice(0, 2)
  const others = generate(fc.shuffledSubarray, [...tableNames], { minLength: 1, maxLength: 3 })
  return [...new Set([...next, ...others, ...generate(often)])]
}
const often = () =>
  fc.subarray<TableName>(["jobs", "contacts", "conversations", "deliveries", "events", "messages", "endpoints"], {
    maxLength: 3
  })

/** Deletes all rows in one commit. */
const removeAll = (storage: Storage, database: MemoryDatabase): Effect.Effect<void> =>
  Effect.gen(function* () {
    const rows = tableNames.flatMap((name) => {
      const stored = database.table(name)
      return [...stored.all()].map((row) => ({
        table: name,
        key: Object.fromEntries(stored.table.key.map((column) => [column.name, row[column.name]]))
      }))
    })
    const removal = changes("", {
      expects: rows.map((row) => ({ ...row, where: {} })) as never,
      deletes: rows as never
    })
    if (rows.length > 0) expect((yield* storage.commit(removal))._tag).toBe("Committed")
  }).pipe(Effect.orDie)

/** Deletes all rows, slot queues and rate windows through the port. */
const clear = (storage: Storage, database: MemoryDatabase): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* removeAll(storage, database)
    for (const name of ["buckets", "sendSlots"] as const) yield* storage.purge(name, Number.MAX_SAFE_INTEGER, 1_000)
    const left = (yield* readAll.run(storage)) as ReadonlyArray<ReadonlyArray<object>>
    expect(left.flat()).toEqual([])
  }).pipe(Effect.orDie)

/** Inserts rows with null in one column each, and deletes those that were accepted: the same on the model. */
export const sameNulls = (storage: Storage): Effect.Effect<void> =>
  Effect.gen(function* () {
    const [generate] = fc.sample(fc.gen(), { seed: 1, numRuns: 1 }) as unknown as readonly [Generate]
    for (const name of tableNames) {
      for (const column of tableOf(name).columns) {
        const database = empty()
        const insert = insertOf(name, { ...aRow(generate, name), [column.name]: null })
        expectSame(insert, yield* insert.run(storage), yield* insert.run(storageOf(database)))
        yield* removeAll(storage, database)
      }
    }
  })

/** Carries out the same calls on the storage and on the model, one by one. All answers and rows must be equal. */
export const sameInSequence = (
  storage: Storage,
  generate: Generate,
  hasBounds: boolean,
  written: Set<TableName>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const database = empty()
    const model = storageOf(database)
    const names = someTables(generate, written)
    for (let i = 0; i < 40; i++) {
      const call = generateCall(generate, database, names, hasBounds)
      const answer = yield* call.run(storage)
      const ofModel = yield* call.run(model)
      const isBounded = call.method !== "claimJobs" || (answer as { clearedTo?: unknown }).clearedTo !== undefined
      const expected = isBounded ? ofModel : { ...(ofModel as object), clearedTo: undefined }
      expectSame(call, answer, expected)
    }
    expectSame(readAll, yield* readAll.run(storage), yield* readAll.run(model))
    for (const name of tableNames) if ([...database.table(name).all()].length > 0) written.add(name)
    yield* clear(storage, database)
  })

/** Fails with both answers as text: a difference of objects would be cut off. */
const expectSame = ({ method, parameters }: Call, answer: unknown, expected: unknown) => {
  const [one, other] = [canonical(answer), canonical(expected)]
  if (one !== other) throw new Error(`${method} ${canonical(parameters)}\nanswers ${one}\nand the model ${other}`)
}

/**
 * The answer, without the keys that a conflict names: a claim may be lost to a row that another call deletes before the
 * expects are checked.
 */
const comparable = (answer: unknown): string => {
  const { _tag } = (answer ?? {}) as { readonly _tag?: string }
  return _tag === "Conflict" ? _tag : canonical(answer)
}

/** The databases to which some order of the calls leads, where all answers are those given. */
const explanations = (
  database: MemoryDatabase,
  calls: ReadonlyArray<{ readonly call: Call; readonly answer: string }>
): ReadonlyArray<MemoryDatabase> =>
  calls.length === 0
    ? [database]
    : calls.flatMap((next) => {
        const after = database.clone()
        return comparable(Effect.runSync(next.call.run(storageOf(after)))) === next.answer
          ? explanations(
              after,
              calls.filter((other) => other !== next)
            )
          : []
      })

/** What two databases with the same rows may differ in. */
const rates = ({ buckets, slotQueues }: MemoryDatabase) => canonical([buckets, slotQueues])

/**
 * Carries out calls together on two hosts of a database. After each group, some order of its calls must lead to the
 * same answers and rows on the model.
 */
export const sameInSomeOrder = (
  hosts: readonly [Storage, Storage],
  generate: Generate,
  written: Set<TableName>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const names = someTables(generate, written)
    let possible: ReadonlyArray<MemoryDatabase> = [empty()]
    for (let i = 0; i < 12; i++) {
      const [database] = possible as readonly [MemoryDatabase]
      const calls = generateGroup(generate, database, names)
      const answers = yield* Effect.forEach(calls, (call, n) => call.run(hosts[n % 2] as Storage), {
        concurrency: "unbounded"
      })
      const answered = calls.map((call, n) => ({ call, answer: comparable(answers[n]) }))
      const rows = canonical(yield* readAll.run(hosts[0]))
      const found = new Map<string, MemoryDatabase>()
      for (const before of possible) {
        for (const after of explanations(before, answered)) {
          if (canonical(Effect.runSync(readAll.run(storageOf(after)))) === rows) found.set(rates(after), after)
        }
      }
      possible = [...found.values()]
      if (possible.length > 0) continue
      const group = answered.map(
        ({ answer, call }) => `${call.method} ${canonical(call.parameters)}\nanswers ${answer}`
      )
      const before = canonical(Effect.runSync(readAll.run(storageOf(database))))
      throw new Error(`no order explains\n${group.join("\n")}\nbefore ${before}\nafter ${rows}`)
    }
    const [database] = possible as readonly [MemoryDatabase]
    for (const name of tableNames) if ([...database.table(name).all()].length > 0) written.add(name)
    yield* clear(hosts[0], database)
  })
