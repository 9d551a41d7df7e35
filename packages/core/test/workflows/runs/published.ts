import { aWorkflow, aWorkflowVersion } from "@parley/testkit"
import { Effect } from "effect"
import type { Caller } from "../../../src/access/Caller.js"
import { fingerprint } from "../../../src/access/fingerprint.js"
import { changes, row } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { Storage } from "../../../src/ports/Storage.js"
import { businessEventDraft } from "../../../src/workflows/BusinessEventInput.js"
import { BusinessEvents } from "../../../src/workflows/BusinessEvents.js"
import type { Action, ActionKind } from "../../../src/workflows/definition/Action.js"

const orderShipped = "order.shipped"

/** An action that ends its run where it fails. */
export const action = (kind: ActionKind): Action => ({ ...kind, name: null, if: null, onError: "stop" })

/** A published workflow of the workspace that carries these out at every `order.shipped`. */
export const publish = (workspaceId: string, actions: ReadonlyArray<Action>) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const next = () => ids.next(1_700_000_000_000)
    const definition = { conditions: null, actions }
    const [id, versionId] = [next(), next()]
    const published = { definition, versionId, versions: 1, edited: false, eventName: orderShipped }
    yield* (yield* Storage).commit(
      changes(workspaceId, {
        inserts: [
          row("workflows", aWorkflow({ id, workspaceId, ...published })),
          row("workflowVersions", aWorkflowVersion({ id: versionId, workspaceId, workflowId: id, definition }))
        ]
      })
    )
    return id
  })

/** An `order.shipped` about the contact, by the caller; `key` is its `Idempotency-Key`. */
export const ship = (caller: Caller, contact_id: string, key: string) =>
  Effect.flatMap(BusinessEvents, (events) =>
    events.record(caller, {
      draft: businessEventDraft({ event: orderShipped, contact_id }),
      idempotency: { key, fingerprint: fingerprint("POST", "/events", { key }) }
    })
  )
