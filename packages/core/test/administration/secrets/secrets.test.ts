import { randomBytes } from "node:crypto"
import { expect, layer } from "@effect/vitest"
import { AesSecretBox, SecretKey, UuidIds } from "@parley/node"
import { databases } from "@parley/testkit/databases"
import { aConnection, anEndpoint, aWorkflow, aWorkflowVersion, someTime } from "@parley/testkit/rows"
import { Effect, Either, Layer, Logger, LogLevel, Ref } from "effect"
import * as AdminSecrets from "../../../src/administration/secrets/AdminSecrets.js"
import { decodeRotationInput } from "../../../src/administration/secrets/RotationInput.js"
import * as Decider from "../../../src/kernel/Decider.js"
import { changes, expect as expected, row, set } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { readById, Storage } from "../../../src/ports/Storage.js"

const hook = "https://shop.example/hook?token=hidden"
const newKey = () => Either.getOrThrow(SecretKey.parse(randomBytes(32).toString("base64"), "test"))

/** The service on a host with these keys, the present one first. */
const inHost = (key: SecretKey.SecretKey, ...previous: ReadonlyArray<SecretKey.SecretKey>) =>
  Layer.effect(AdminSecrets.AdminSecrets, AdminSecrets.make).pipe(
    Layer.provide(Layer.merge(Layer.scoped(Decider.Decider, Decider.make), AesSecretBox.layer(key, previous)))
  )
const { AdminSecrets: Tag, stepSize } = AdminSecrets
const status = Effect.flatMap(Tag, (secrets) => secrets.status)
const step = (cursor: string | null = null) =>
  Effect.flatMap(Tag, ({ rotate }) => rotate(decodeRotationInput({ cursor })))

/** Runs all steps of a rotation. */
const rotation = Effect.gen(function* () {
  const steps = [yield* step()]
  for (let last = steps[0]; last?.cursor != null; last = steps.at(-1)) steps.push(yield* step(last.cursor))
  return steps
})
const totalOf = (steps: ReadonlyArray<AdminSecrets.Rotation>, count: "examined" | "resealed" | "unreadable") =>
  steps.reduce((sum, one) => sum + one[count], 0)

/** Inserts rows with secrets sealed under this key; one connection and one workflow have none. */
const sealedWith = (key: SecretKey.SecretKey, endpoints: number, connections: number, workflows = 0) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const ids = yield* Ids
    const { seal } = AesSecretBox.make(key)
    const workspaceId = ids.next(someTime)
    const made = {
      endpoints: Array.from({ length: endpoints }, (_, n) =>
        anEndpoint({ id: ids.next(someTime), workspaceId, secret: seal(`whsec_${n}`), url: seal(hook) })
      ),
      connections: Array.from({ length: connections }, (_, n) =>
        aConnection({ id: ids.next(someTime), workspaceId, credentials: seal(`{"token":"${n}"}`) })
      ),
      workflows: Array.from({ length: workflows }, (_, n) =>
        aWorkflow({ id: ids.next(someTime), workspaceId, secret: seal(`whsec_workflow_${n}`) })
      )
    }
    const without = { id: ids.next(someTime), workspaceId }
    const inserts = [
      ...made.endpoints.map((endpoint) => row("endpoints", endpoint)),
      ...made.connections.map((connection) => row("connections", connection)),
      ...made.workflows.map((workflow) => row("workflows", workflow)),
      row("connections", aConnection({ ...without, credentials: null })),
      row("workflows", aWorkflow({ ...without, secret: null }))
    ]
    for (let start = 0; start < inserts.length; start += 500) {
      yield* storage.commit(changes(workspaceId, { inserts: inserts.slice(start, start + 500) }))
    }
    return { workspaceId, ...made }
  })

for (const [name, storage] of databases) {
  // Each test has its own database, because a rotation covers the whole database.
  const on = (test: Effect.Effect<void, unknown, Storage | Ids>) =>
    Effect.provide(test, Layer.fresh(Layer.merge(storage, UuidIds.layer)))

  layer(Layer.empty, { excludeTestServices: true, timeout: 60_000 })(`rotation of the secret key on ${name}`, (it) => {
    it.effect("reseals everything under the present key in bounded steps", () =>
      on(
        Effect.gen(function* () {
          const [old, present] = [newKey(), newKey()]
          const { connections, endpoints, workflows } = yield* sealedWith(old, stepSize + 30, 5, 3)
          const box = AesSecretBox.make(present, [old])
          const use = (key: string, use: string, signingSecrets: number, credentials: number, urls: number) =>
            ({ key, use, signingSecrets, credentials, urls }) as const
          const [ours = "", theirs = ""] = box.keyIds
          const before = yield* Effect.provide(status, inHost(present, old))
          expect(before).toEqual([
            use(ours, "present", 0, 0, 0),
            use(theirs, "previous", stepSize + 33, 5, stepSize + 30)
          ])

          const steps = yield* Effect.provide(rotation, inHost(present, old))
          for (const { examined, key } of steps) {
            expect(examined).toBeLessThanOrEqual(2 * stepSize)
            expect(key).toBe(ours)
          }
          expect([totalOf(steps, "resealed"), totalOf(steps, "unreadable")]).toEqual([2 * stepSize + 68, 0])
          const after = yield* Effect.provide(status, inHost(present, old))
          expect(after).toEqual([
            use(ours, "present", stepSize + 33, 5, stepSize + 30),
            use(theirs, "previous", 0, 0, 0)
          ])

          // The present key opens all values, and the secrets are unchanged.
          const { open } = AesSecretBox.make(present)
          const store = yield* Storage
          const last = yield* readById(store, "endpoints", endpoints.at(-1)?.id)
          expect(yield* open(last?.secret ?? "")).toBe(`whsec_${stepSize + 29}`)
          expect(yield* open(last?.url ?? "")).toBe(hook)
          const connection = yield* readById(store, "connections", connections[0]?.id)
          expect(yield* open(connection?.credentials ?? "")).toBe('{"token":"0"}')
          const workflow = yield* readById(store, "workflows", workflows[2]?.id)
          expect(yield* open(workflow?.secret ?? "")).toBe("whsec_workflow_2")
        })
      )
    )

    it.effect("is idempotent and can continue from any cursor", () =>
      on(
        Effect.gen(function* () {
          const [old, present] = [newKey(), newKey()]
          const { workspaceId } = yield* sealedWith(old, stepSize + 1, 1)
          const first = yield* Effect.provide(step(), inHost(present, old))
          expect(first).toMatchObject({ examined: 2 * stepSize, resealed: 2 * stepSize })
          // Another host continues from the cursor.
          const second = yield* Effect.provide(step(first.cursor), inHost(present, old))
          expect(second).toMatchObject({ examined: 2, resealed: 2 })
          expect(yield* Effect.provide(step(first.cursor), inHost(present, old))).toMatchObject({ resealed: 0 })
          const again = yield* Effect.provide(rotation, inHost(present, old))
          expect([totalOf(again, "examined"), totalOf(again, "resealed")]).toEqual([2 * stepSize + 3, 1])
          const audited = yield* (yield* Storage).list({
            from: "auditLog",
            where: { workspaceId },
            after: null,
            limit: 1_000
          })
          expect(audited).toHaveLength(2 * stepSize + 3)
        })
      )
    )

    it.effect("reports and keeps values that no key of this host opens", () =>
      on(
        Effect.gen(function* () {
          const [old, lost, present] = [newKey(), newKey(), newKey()]
          yield* sealedWith(old, 2, 0)
          const { endpoints } = yield* sealedWith(lost, 1, 1)
          const steps = yield* Effect.provide(rotation, inHost(present, old)).pipe(
            Logger.withMinimumLogLevel(LogLevel.None)
          )
          expect([totalOf(steps, "resealed"), totalOf(steps, "unreadable")]).toEqual([4, 3])
          expect((yield* Effect.provide(status, inHost(present, old))).at(-1)).toEqual({
            key: AesSecretBox.make(lost).keyIds[0],
            use: "missing",
            signingSecrets: 1,
            credentials: 1,
            urls: 1
          })
          const kept = yield* readById(yield* Storage, "endpoints", endpoints[0]?.id)
          expect(kept).toEqual(endpoints[0])
        })
      )
    )

    it.effect("seals the URLs that old versions stored in clear text", () =>
      on(
        Effect.gen(function* () {
          const [lost, present] = [newKey(), newKey()]
          const { seal } = AesSecretBox.make(present)
          const store = yield* Storage
          const ids = yield* Ids
          const workspaceId = ids.next(someTime)
          const old = anEndpoint({ id: ids.next(someTime), workspaceId, secret: seal("whsec_1"), url: hook })
          yield* store.commit(changes(workspaceId, { inserts: [row("endpoints", old)] }))
          const inClear = { key: null, use: "missing", signingSecrets: 0, credentials: 0, urls: 1 }
          expect((yield* Effect.provide(status, inHost(present))).at(-1)).toEqual(inClear)
          expect(totalOf(yield* Effect.provide(rotation, inHost(present, lost)), "resealed")).toBe(1)
          const sealed = yield* readById(store, "endpoints", old.id)
          expect(sealed?.url).not.toContain("hidden")
          expect(yield* AesSecretBox.make(present).open(sealed?.url ?? "")).toBe(hook)
          expect(yield* Effect.provide(status, inHost(present))).toHaveLength(1)
        })
      )
    )

    it.effect("reseals the URLs of all webhook calls of workflows and of their versions", () =>
      on(
        Effect.gen(function* () {
          const [old, present] = [newKey(), newKey()]
          const { seal } = AesSecretBox.make(old)
          const store = yield* Storage
          const ids = yield* Ids
          const workspaceId = ids.next(someTime)
          const common = { name: null, if: null, onError: "stop" } as const
          const call = (url: string) => ({ type: "call_webhook", url, body: null, ...common }) as const
          const definition = {
            conditions: null,
            actions: [call(seal(`${hook}1`)), { type: "add_tag", tag: "a", ...common } as const, call(`${hook}2`)]
          }
          const of = { id: ids.next(someTime), workspaceId, definition }
          yield* store.commit(
            changes(workspaceId, {
              inserts: [
                row("workflows", aWorkflow({ ...of, secret: null })),
                row("workflowVersions", aWorkflowVersion(of))
              ]
            })
          )
          const before = yield* Effect.provide(status, inHost(present, old))
          expect(before.map(({ urls }) => urls)).toEqual([0, 2, 2])
          expect(totalOf(yield* Effect.provide(rotation, inHost(present, old)), "resealed")).toBe(4)
          expect((yield* Effect.provide(status, inHost(present, old))).map(({ urls }) => urls)).toEqual([4, 0])
          const { open } = AesSecretBox.make(present)
          for (const place of ["workflows", "workflowVersions"] as const) {
            const { actions = [] } = (yield* readById(store, place, of.id))?.definition ?? {}
            const urls = actions.flatMap((action) => (action.type === "call_webhook" ? [action.url] : []))
            expect(yield* Effect.forEach(urls, open)).toEqual([`${hook}1`, `${hook}2`])
            expect(actions[1]).toMatchObject({ type: "add_tag", tag: "a" })
          }
        })
      )
    )

    it.effect("does not overwrite a concurrent change", () =>
      on(
        Effect.gen(function* () {
          const [old, present] = [newKey(), newKey()]
          const { connections, workspaceId } = yield* sealedWith(old, 0, 1)
          const id = connections[0]?.id ?? ""
          const store = yield* Storage
          const changed = yield* Ref.make(false)
          const { open, seal } = AesSecretBox.make(present)
          const other = Effect.asVoid(
            store.commit(
              changes(workspaceId, {
                expects: [expected("connections", { id })],
                sets: [set("connections", { id }, { credentials: seal("new") })]
              })
            )
          )
          const overtaken = Layer.succeed(Storage, {
            ...store,
            commit: (wanted) =>
              Effect.zipRight(
                Effect.flatMap(Ref.getAndSet(changed, true), (before) => (before ? Effect.void : other)),
                store.commit(wanted)
              )
          })
          const steps = yield* Effect.provide(rotation, Layer.provide(inHost(present, old), overtaken))
          expect([totalOf(steps, "examined"), totalOf(steps, "resealed")]).toEqual([1, 0])
          const after = yield* readById(store, "connections", id)
          expect(yield* open(after?.credentials ?? "")).toBe("new")
        })
      )
    )

    it.effect("refuses an invalid cursor", () =>
      on(
        Effect.gen(function* () {
          const refusal = yield* Effect.flip(Effect.provide(step("elsewhere"), inHost(newKey())))
          expect(refusal).toMatchObject({
            code: "validation_failed",
            details: { cursor: ["must be a cursor of this list"] }
          })
        })
      )
    )
  })
}
