import { randomBytes } from "node:crypto"
import { expect, layer } from "@effect/vitest"
import { AesSecretBox, SecretKey, UuidIds } from "@parley/node"
import { databases } from "@parley/testkit/databases"
import { aWorkspace, someTime } from "@parley/testkit/rows"
import { Effect, Either, Layer } from "effect"
import * as Admin from "../../../src/flows/workflows/AdminWorkflows.js"
import { decodeWorkflowInput, decodeWorkflowPatch } from "../../../src/flows/workflows/WorkflowInput.js"
import * as Decider from "../../../src/kernel/Decider.js"
import { decodeListQuery } from "../../../src/kernel/input/ListQuery.js"
import { decodeWorkspaceListQuery } from "../../../src/kernel/input/WorkspaceListQuery.js"
import type { Definition } from "../../../src/model/Workflow.js"
import { changes, row } from "../../../src/ports/Changes.js"
import { ChannelProviders } from "../../../src/ports/ChannelProvider.js"
import { HttpSender } from "../../../src/ports/HttpSender.js"
import { Ids } from "../../../src/ports/Ids.js"
import { readById, Storage } from "../../../src/ports/Storage.js"
import { channelProviders } from "../../../src/resources/channels/channelProviders.js"

const url = "https://shop.example/hook?token=hidden"
const call = (to: string) => ({ type: "call_webhook", url: to })
const tag = { type: "add_tag", tag: "a" }

const newKey = () => Either.getOrThrow(SecretKey.parse(randomBytes(32).toString("base64"), "test"))
const key = newKey()
const hostWith = (key: SecretKey.SecretKey) =>
  Layer.effect(Admin.AdminWorkflows, Admin.make).pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.scoped(Decider.Decider, Decider.make),
        AesSecretBox.layer(key),
        Layer.succeed(ChannelProviders, channelProviders([])),
        Layer.succeed(HttpSender, {
          refusal: () => null,
          post: () => Effect.succeed({ _tag: "Answered", status: 200, body: "" })
        })
      )
    )
  )

const urlsOf = ({ actions }: Definition) =>
  actions.flatMap((action) => (action.type === "call_webhook" ? [action.url] : []))

for (const [name, storage] of databases) {
  layer(Layer.provideMerge(hostWith(key), Layer.merge(storage, UuidIds.layer)), {
    excludeTestServices: true,
    timeout: 60_000
  })(`URLs of webhook calls in workflows on ${name}`, (it) => {
    const newWorkspace = Effect.gen(function* () {
      const id = (yield* Ids).next(someTime)
      yield* (yield* Storage).commit(changes(id, { inserts: [row("workspaces", aWorkspace({ id }))] }))
      return id
    })
    const newWorkflow = Effect.gen(function* () {
      const workspaceId = yield* newWorkspace
      const admin = yield* Admin.AdminWorkflows
      const trigger = { type: "external_event", event: "order.shipped" }
      const body = { workspace_id: workspaceId, name: "Ship", trigger, actions: [call(url), tag] }
      const { workflow } = yield* admin.create(decodeWorkflowInput(body))
      return { admin, workspaceId, workflow }
    })

    it.effect("are sealed where they are stored, and in clear text for administrators", () =>
      Effect.gen(function* () {
        const { admin, workflow, workspaceId } = yield* newWorkflow
        const { id } = workflow
        expect(urlsOf(workflow.definition)).toEqual([url])
        expect(urlsOf((yield* admin.publish(id)).definition)).toEqual([url])
        // The same definition is no change, although it would be sealed anew.
        const repeated = yield* admin.update(id, decodeWorkflowPatch({ actions: [call(url), tag] }))
        expect([repeated.edited, urlsOf(repeated.definition)]).toEqual([false, [url]])
        const changed = yield* admin.update(id, decodeWorkflowPatch({ actions: [call(`${url}2`), call(url)] }))
        expect([changed.edited, urlsOf(changed.definition)]).toEqual([true, [`${url}2`, url]])
        const renamed = yield* admin.update(id, decodeWorkflowPatch({ name: "Called" }))
        expect(urlsOf(renamed.definition)).toEqual([`${url}2`, url])
        expect(urlsOf((yield* admin.publish(id)).definition)).toEqual([`${url}2`, url])
        expect(urlsOf((yield* admin.get(id)).definition)).toEqual([`${url}2`, url])
        expect(urlsOf((yield* admin.rotateSecret(id)).workflow.definition)).toEqual([`${url}2`, url])
        expect(urlsOf((yield* admin.unpublish(id)).definition)).toEqual([`${url}2`, url])
        const { rows } = yield* admin.list(decodeWorkspaceListQuery({ workspace_id: workspaceId }))
        expect(rows.map(({ definition }) => urlsOf(definition))).toEqual([[`${url}2`, url]])
        const versions = yield* admin.listVersions(id, decodeListQuery({}))
        expect(versions.rows.map(({ definition }) => urlsOf(definition))).toEqual([[`${url}2`, url], [url]])
        const storage = yield* Storage
        const stored = [
          yield* readById(storage, "workflows", id),
          ...(yield* Effect.forEach(versions.rows, (version) => readById(storage, "workflowVersions", version.id)))
        ].filter((row) => row !== undefined)
        expect(stored.flatMap(({ definition }) => urlsOf(definition))).toHaveLength(5)
        expect(JSON.stringify(stored)).not.toContain("shop.example")
      })
    )

    it.effect("are not lost by a host that lacks the key", () =>
      Effect.gen(function* () {
        const { admin, workflow } = yield* newWorkflow
        const elsewhere = Effect.provide(Admin.AdminWorkflows, hostWith(newKey()))
        const stranger = yield* elsewhere
        expect(urlsOf((yield* stranger.get(workflow.id)).definition)).toEqual([""])
        const refused = yield* Effect.flip(stranger.update(workflow.id, decodeWorkflowPatch({ name: "Other" })))
        expect(refused).toMatchObject({ code: "service_unavailable" })
        expect(yield* Effect.flip(stranger.publish(workflow.id))).toMatchObject({ code: "service_unavailable" })
        expect(urlsOf((yield* admin.get(workflow.id)).definition)).toEqual([url])
      })
    )
  })
}
