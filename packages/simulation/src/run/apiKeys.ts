import { Effect } from "effect"
import type { Outside, Received } from "./Outside.js"

/** The API keys that administrators issue during a history, beside those of the tenants. */
export interface IssuedKeys {
  readonly issue: (application: { readonly id: string; readonly name: string }) => Effect.Effect<void>
  /** Replaces a key by a new one. `nth`: modulo the number of keys, also of those that were revoked. */
  readonly rotate: (nth: number) => Effect.Effect<void>
  readonly revoke: (nth: number) => Effect.Effect<void>
  /** Makes a request with a key, also with one that was revoked. */
  readonly use: (nth: number) => Effect.Effect<void>
}

interface IssuedKey {
  readonly application: { readonly id: string; readonly name: string }
  readonly id: string
  readonly key: string
}

export const makeIssuedKeys = ({ request }: Outside): IssuedKeys => {
  const keys: Array<IssuedKey> = []
  const pathOf = ({ id }: IssuedKey["application"]) => `/admin/v1/applications/${id}/api-keys`
  const add = (application: IssuedKey["application"], received: Received | null) => {
    if (received?.status !== 201) return
    const { id, key } = (received.body as { readonly data: Pick<IssuedKey, "id" | "key"> }).data
    keys.push({ application, id, key })
  }
  const withKey = (nth: number, act: (key: IssuedKey) => Effect.Effect<unknown>) =>
    Effect.suspend(() => {
      const key = keys[nth % keys.length]
      return key === undefined ? Effect.void : Effect.asVoid(act(key))
    })
  return {
    issue: (application) =>
      Effect.map(request("administrator", "POST", pathOf(application)), (received) => add(application, received)),
    rotate: (nth) =>
      withKey(nth, ({ application, id }) =>
        Effect.map(request("administrator", "POST", `${pathOf(application)}/${id}/rotate`), (received) =>
          add(application, received)
        )
      ),
    revoke: (nth) =>
      withKey(nth, ({ application, id }) => request("administrator", "DELETE", `${pathOf(application)}/${id}`)),
    use: (nth) =>
      withKey(nth, (apiKey) => request(apiKey.application.name, "GET", "/api/v1/channels?per_page=5", { apiKey }))
  }
}
