import { Effect } from "effect"
import { type Refusal, refuse } from "../../../errors/Refusal.js"
import type { Action, CallWebhook } from "../../../model/Action.js"
import type { Definition } from "../../../model/Workflow.js"
import type { SecretBox } from "../../../ports/SecretBox.js"
import { openUrl, withOpenUrl } from "../../webhooks/endpointUrl.js"

/** The definition with this URL of the webhook call at a position. */
export const withCallUrl = (definition: Definition, position: number, url: string): Definition => ({
  ...definition,
  actions: definition.actions.map((action, index) => (index === position ? { ...action, url } : action) as Action)
})

/** The definition as it is stored: URLs of webhook calls are sealed, because receivers often have secrets in them. */
export const withSealedUrls = (definition: Definition, seal: SecretBox["seal"]): Definition => ({
  ...definition,
  actions: definition.actions.map((action) =>
    action.type === "call_webhook" ? { ...action, url: seal(action.url) } : action
  )
})

/** A stored definition in clear text, to be changed. Fails with 503 if this host cannot open a URL. */
export const openDefinition = (secretBox: SecretBox, definition: Definition): Effect.Effect<Definition, Refusal> =>
  eachCall(definition, (call) => Effect.map(openUrl(secretBox, call), (url) => ({ ...call, url }))).pipe(
    Effect.catchTag("SecretUnreadable", ({ reason }) =>
      Effect.zipRight(
        Effect.logError(`the URL of a workflow's webhook call cannot be read: it ${reason}`),
        refuse("service_unavailable", {}, "This host cannot read the URLs of the workflow.")
      )
    )
  )

/** A workflow or a version in clear text, for an administrator; with empty URLs if this host cannot open them. */
export const withOpenDefinition = <A extends { readonly definition: Definition }>(
  secretBox: SecretBox,
  row: A
): Effect.Effect<A> =>
  Effect.map(
    eachCall(row.definition, (call) => withOpenUrl(secretBox, call)),
    (definition) => ({ ...row, definition })
  )

const eachCall = <E>(
  definition: Definition,
  change: (call: CallWebhook & Action) => Effect.Effect<Action, E>
): Effect.Effect<Definition, E> =>
  Effect.map(
    Effect.forEach(definition.actions, (action) =>
      action.type === "call_webhook" ? change(action) : Effect.succeed(action)
    ),
    (actions) => ({ ...definition, actions })
  )
