import { contactIdOf, workspaceId } from "./seed.js"

/** The limits of bodies (docs/reference/requests.md#body-size). */
const maxBytes = 1_048_576
const maxValues = 50_000
const maxKeys = 20_000
const maxTokenBytes = 16_384

/** `head`, as many of the items as the limits allow, and `tail`. */
const filled = (
  head: string,
  item: (index: number) => string,
  tail: string,
  count: number,
  separator = ",",
  limit = maxBytes
): string => {
  const items: Array<string> = []
  let bytes = head.length + tail.length
  for (let index = 0; index < count; index++) {
    const next = item(index)
    bytes += next.length + separator.length
    if (bytes > limit) break
    items.push(next)
  }
  return head + items.join(separator) + tail
}
const key = (index: number) => `"${index.toString(36)}":1`
const longKey = (index: number) => `"${index.toString(36).padStart(24, "k")}":"${"v".repeat(20)}"`

/** A request whose body is at the limits of values and keys. */
export interface LargeBody {
  readonly name: string
  readonly path: string
  readonly body: string
  readonly type?: string
}

/** A body for the admin API, which takes larger lists and free objects. */
const importOf = (fields: (n: number) => string) =>
  `{"workspace_id":"${workspaceId}","contacts":[${Array.from({ length: 500 }, (_, n) => fields(n)).join(",")}]}`

/** The most expensive bodies of the admin API. */
export const largeAdminBodies: ReadonlyArray<LargeBody> = [
  {
    name: "`POST /contacts/import`, 500 contacts",
    path: "/admin/v1/contacts/import",
    body: importOf(
      (n) => `{"email":"import${n}@customer.example","first_name":"Ada","tags":["a","b","c","d","e","f","g","h"]}`
    )
  },
  {
    name: "`POST /contacts/import`, contacts of unknown keys",
    path: "/admin/v1/contacts/import",
    body: importOf(
      (n) =>
        `{"email":"keys${n}@customer.example",${Array.from({ length: 38 }, (_, at) => key(at + 10 * n)).join(",")}}`
    )
  },
  {
    name: "`POST /connections`, keys in `config`",
    path: "/admin/v1/connections",
    body: filled(
      `{"workspace_id":"${workspaceId}","channel":"whatsapp","provider":"sandbox","name":"Shop","handle":"+4930999999","config":{`,
      key,
      "}}",
      maxKeys - 20
    )
  }
]

/** Some values and keys beside the repeated ones. */
const spare = 20
const values = maxValues - spare
const keys = maxKeys - spare
const unlimited = maxBytes

const contact = `"contact_id":"${contactIdOf(0)}"`
const data = (inner: string) => `{"event":"bench.body",${contact},"data":${inner}`
const send = `{"channel":"whatsapp","to":"+4915112345678","type":"template","message":{"template":"order_shipped","variables":[`

/** The most expensive bodies of each route. */
export const largeBodies: ReadonlyArray<LargeBody> = [
  ...(
    [
      ["numbers", filled(data(`{"a":[`), () => "1", "]}}", values)],
      ["long numbers", filled(data(`{"a":[`), () => "1.23456789012345e-7", "]}}", values)],
      ["objects", filled(data(`{"a":[`), () => "{}", "]}}", values)],
      ["keys", filled(data("{"), key, "}}", keys)],
      ["long keys and texts", filled(data("{"), longKey, "}}", keys)],
      ["one text of 1 MiB", filled(data(`{"a":"`), () => "x".repeat(1_000), `"}}`, unlimited, "")],
      ["500,000 numbers (refused)", filled(data(`{"a":[`), () => "1", "]}}", unlimited)]
    ] as const
  ).map(([what, body]) => ({ name: `\`POST /events\`, ${what} in \`data\``, path: "/api/v1/events", body })),
  {
    name: "`POST /contacts`, keys in `custom_fields`",
    path: "/api/v1/contacts",
    body: filled(`{"email":"a@customer.example","custom_fields":{`, key, "}}", keys)
  },
  {
    name: "`POST /contacts`, objects in an ignored field",
    path: "/api/v1/contacts",
    body: filled(`{"ignored":[`, () => "{}", "]}", values)
  },
  {
    name: "`POST /messages`, numbers in `variables`",
    path: "/api/v1/messages",
    body: filled(send, () => "1", "]}}", values)
  },
  {
    name: "`POST /oauth/token`, keys in JSON",
    path: "/api/v1/oauth/token",
    body: filled("{", key, "}", keys, ",", maxTokenBytes)
  },
  {
    name: "`POST /oauth/token`, fields of a form",
    path: "/api/v1/oauth/token",
    body: filled("", (index) => `${index.toString(36)}=%41`, "", unlimited, "&", maxTokenBytes),
    type: "application/x-www-form-urlencoded"
  }
]
