/** A customer's mail. */
export const aMail = (
  headers: { readonly [name: string]: string } = {},
  body: string | Buffer = "Is it ready?"
): Buffer => {
  const all = {
    From: "Ada Lovelace <Ada@Customer.example>",
    To: "hello@bakery.example",
    Subject: "My order",
    "Message-ID": "<mail-1@customer.example>",
    Date: "Mon, 04 May 2026 08:30:00 +0000",
    ...headers
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), Buffer.from(body)])
}

/** A part of a {@link multipart}. */
export const part = (contentType: string, body: string, ...headers: ReadonlyArray<string>): string =>
  [`Content-Type: ${contentType}`, ...headers, "", body].join("\r\n")

/** The header and the body of a mail of several parts. */
export const multipart = (
  kind: string,
  parts: ReadonlyArray<string>,
  boundary = "edge"
): readonly [headers: { readonly "Content-Type": string }, body: string] => [
  { "Content-Type": `multipart/${kind}; boundary="${boundary}"` },
  `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`
]

/** What a mail server writes about a mail (RFC 3464); `returned`: the `Message-ID` of it, absent for none. */
export const aReport = (
  action: string,
  {
    date = "Mon, 04 May 2026 08:31:00 +0000",
    envelopeId,
    headers: given = {},
    original,
    recipient = "rfc822; ada@customer.example",
    returned,
    status = action === "failed" ? "5.1.1" : "2.0.0"
  }: {
    readonly date?: string
    readonly envelopeId?: string
    readonly headers?: { readonly [name: string]: string }
    readonly original?: string
    readonly recipient?: string
    readonly returned?: string
    readonly status?: string
  } = {}
): Buffer => {
  const fields = [
    "Reporting-MTA: dns; mx.customer.example",
    ...(envelopeId === undefined ? [] : [`Original-Envelope-Id: ${envelopeId}`]),
    "",
    ...(original === undefined ? [] : [`Original-Recipient: ${original}`]),
    `Final-Recipient: ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`
  ]
  const [headers, body] = multipart("report; report-type=delivery-status", [
    part("text/plain", "I'm sorry to have to tell you."),
    part("message/delivery-status", fields.join("\r\n")),
    ...(returned === undefined ? [] : [part("text/rfc822-headers", `Message-ID: ${returned}\r\nSubject: Your order`)])
  ])
  return aMail(
    {
      From: "Mail Delivery System <MAILER-DAEMON@mx.customer.example>",
      "Return-Path": "<>",
      "Auto-Submitted": "auto-replied",
      "Message-ID": "<report-1@mx.customer.example>",
      Date: date,
      ...headers,
      ...given
    },
    body
  )
}
