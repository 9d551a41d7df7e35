/** A text that no response may repeat. */
export const secret = "Sesame"

/** A valid send. */
export const template = {
  channel: "whatsapp",
  to: "+15550123456",
  type: "template",
  message: { template: "order_shipped", language: "en", variables: ["Ada", "A-1"] }
}
/** A POST of this body: text as it is, other values as JSON. */
export const post = (body: unknown, headers: { readonly [name: string]: string } = { "idempotency-key": "bad" }) => ({
  method: "POST",
  headers,
  body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body)
})

/** Requests that cannot be read as a send, each with the details of its `bad_request`. */
export const unreadable: ReadonlyArray<readonly [what: string, init: RequestInit, details: object]> = [
  ["malformed JSON", post(`{"to": "${secret}`), {}],
  ["no body", post(""), {}],
  ["a list", post([secret]), {}],
  ["a text", post(`"${secret}"`), {}],
  ["bytes that are not UTF-8", post(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)), {}],
  ["plain text", post(template, { "idempotency-key": "bad", "content-type": "text/plain" }), {}],
  ["a form", post("to=1", { "idempotency-key": "bad", "content-type": "application/x-www-form-urlencoded" }), {}],
  ["no key", post(template, {}), { "Idempotency-Key": ["is required"] }],
  ["an empty key", post(template, { "idempotency-key": "" }), { "Idempotency-Key": ["must not be empty"] }],
  ["a blank key", post(template, { "idempotency-key": "  " }), { "Idempotency-Key": ["must not be empty"] }],
  [
    "an over-long key",
    post(template, { "idempotency-key": secret.padEnd(256, "x") }),
    { "Idempotency-Key": ["must be at most 255 characters"] }
  ]
]

/** Bodies in which every field is wrong, each with the fields that the refusal must name. */
export const wrong: ReadonlyArray<
  readonly [what: string, path: string, body: object, problems: ReadonlyArray<string>]
> = [
  [
    "a message",
    "/messages",
    { channel: secret, to: [secret], type: { secret }, external_reference: 5, connection_id: secret, message: secret },
    ["channel", "connection_id", "external_reference", "message", "to", "type"]
  ],
  [
    "a template message",
    "/messages",
    { ...template, to: secret, message: { template: [secret], language: { secret }, variables: [1, null, secret] } },
    ["message.language", "message.template", "message.variables.0", "message.variables.1", "to"]
  ],
  [
    "a text message",
    "/messages",
    {
      channel: "email",
      to: secret,
      type: "text",
      message: { body: `${secret}\0`, subject: `${secret}\r\nBcc: a@b.example` }
    },
    ["message.body", "message.subject", "to"]
  ],
  [
    "a contact",
    "/contacts",
    {
      ...{ first_name: 1, last_name: [secret], company: { secret }, job_title: true, email: secret, phone: secret },
      ...{
        country: secret,
        city: 1.5,
        language: [],
        timezone: {},
        lifecycle_stage: secret,
        tags: [1, secret.repeat(20)]
      },
      identities: [secret, { channel: secret, handle: 7 }],
      custom_fields: [secret]
    },
    [
      ...["city", "company", "country", "custom_fields", "email", "first_name"],
      ...["identities.0", "identities.1.channel", "identities.1.handle", "job_title", "language", "last_name"],
      ...["lifecycle_stage", "phone", "tags.0", "tags.1", "timezone"]
    ]
  ]
]
