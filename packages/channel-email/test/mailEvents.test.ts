import type { InboundEvent } from "@parley/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { maxTextBytes } from "../src/boundedText.js"
import type { Business } from "../src/EmailAccount.js"
import { mailEvents } from "../src/mailEvents.js"
import { aMail, aReport, multipart, part } from "./mails.js"

const bakery: Business = {
  address: "hello@bakery.example",
  name: "The Bakery",
  config: { smtp: { host: "localhost" }, reply_to: "Answers@bakery.example", unsubscribe: "hello@bakery.example" }
}
const now = Date.UTC(2026, 4, 4, 9)
const ourId = "01900000-0000-7000-8000-000000000001"
const ourMail = `<${ourId}@bakery.example>`

/** Of the form of a signed id of {@link ourId}. */
const signedId = BigInt(`0x${ourId.replaceAll("-", "")}${"5a".repeat(10)}`)
  .toString(32)
  .padStart(42, "0")

const reported = (raw: Uint8Array): Promise<ReadonlyArray<InboundEvent>> =>
  Effect.runPromise(mailEvents(bakery, raw, now))

const message = async (raw: Uint8Array) => {
  const [event] = await reported(raw)
  if (event?._tag !== "Message") throw new Error(`told as ${event?._tag}`)
  return event
}

const idOf = (event: InboundEvent | undefined): string | null =>
  event?._tag === "Message" ? event.providerMessageId : null

describe("a customer's mail", () => {
  it("has the sender, the subject and the text", async () => {
    expect(await reported(aMail({ Subject: "=?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n =?utf-8?q?_an_euch?=" }))).toEqual([
      {
        _tag: "Message",
        providerMessageId: expect.stringMatching(/^<mail-1@customer\.example> sha256:[0-9a-f]{64}$/),
        from: "Ada@Customer.example",
        body: "Is it ready?",
        fullText: null,
        subject: "Grüße an euch",
        mail: {
          from: "Ada Lovelace <Ada@Customer.example>",
          ...{ to: ["hello@bakery.example"], cc: [], replyTo: [] }
        },
        quoted: null,
        displayName: "Ada Lovelace",
        attachments: [],
        automatic: false,
        senderProven: true
      }
    ])
  })
  it("has its addresses, those of groups too, and the mail that it answers", async () => {
    const { mail, quoted } = await message(
      aMail({
        To: "The shop <hello@bakery.example>, friends: Bob <bob@x.example>, eve@x.example;",
        Cc: '"Doe, Jane (sales)" <jane@x.example>',
        "Reply-To": "list@x.example",
        References: "<a@x.example> <b@x.example>",
        "In-Reply-To": "<b@x.example>"
      })
    )
    expect(mail).toMatchObject({
      to: ["The shop <hello@bakery.example>", "Bob <bob@x.example>", "eve@x.example"],
      cc: ["Doe, Jane (sales) <jane@x.example>"],
      replyTo: ["list@x.example"]
    })
    expect(quoted).toEqual({ providerMessageId: "<b@x.example>", isPrefix: true })
  })
  it("has a writer, whatever its From is", async () => {
    const writers: ReadonlyArray<
      readonly [headers: { readonly [name: string]: string }, from: string, name: string | null]
    > = [
      [{ From: "Team: Ada <ada@x.example>, Bob <bob@x.example>;" }, "ada@x.example", "Ada"],
      [{ From: "ada@x.example (Ada (of the) Bakery)" }, "ada@x.example", "Ada (of the) Bakery"],
      [{ From: "root@localhost, Ada <ada@x.example>" }, "ada@x.example", "Ada"],
      [{ From: '"ada b"@x.example', Sender: "Bob <bob@x.example>" }, "bob@x.example", "Bob"],
      [{ From: "undisclosed:;", "Return-Path": "<ada@x.example>" }, "ada@x.example", null],
      [{ From: '"Ada <ada@x.example>' }, "ada@x.example", "Ada"],
      [{ From: "Ünal <ünal@x.example>" }, "ünal@x.example", "Ünal"]
    ]
    for (const [headers, from, displayName] of writers) {
      expect(await message(aMail(headers)), JSON.stringify(headers)).toMatchObject({ from, displayName })
    }
    const latin = Buffer.from(aMail({ From: "J\u00fcrgen <j@x.example>" }).toString(), "latin1")
    expect(await message(latin)).toMatchObject({ from: "j@x.example", displayName: "Jürgen" })
  })
  it("is not proven if its writer is not in From", async () => {
    const config = { ...bakery.config, authserv_id: "mx.bakery.example" }
    const results = "mx.bakery.example; dmarc=pass header.from=x.example; dkim=pass header.d=x.example"
    const raw = aMail({ From: '"a b"@x.example', Sender: "bob@x.example", "Authentication-Results": results })
    expect(await Effect.runPromise(mailEvents({ ...bakery, config }, raw, now))).toMatchObject([
      { from: "bob@x.example", senderProven: false }
    ])
  })
  it("is identified by a hash of its bytes without a usable id", async () => {
    for (const id of ["", "none", "<two words>", `<${"a".repeat(300)}@customer.example>`]) {
      const { providerMessageId } = await message(aMail({ "Message-ID": id }))
      expect(providerMessageId).toMatch(/^sha256:[0-9a-f]{64}$/)
      expect((await message(aMail({ "Message-ID": id }))).providerMessageId).toBe(providerMessageId)
      expect((await message(aMail({ "Message-ID": id }, "Another"))).providerMessageId).not.toBe(providerMessageId)
    }
  })
  it("is read in its own charset", async () => {
    const type = (charset: string) => ({ "Content-Type": `text/plain; charset=${charset}` })
    expect((await message(aMail(type("iso-8859-1"), Buffer.from("Grüße", "latin1")))).body).toBe("Grüße")
    expect((await message(aMail(type("x-unheard-of"), "hello"))).body).toBe("hello")
  })
  it("is read in windows-1252 where it is not in UTF-8, as which it would be read", async () => {
    const latin = Buffer.from("Gr\xfc\xdfe \x80", "latin1")
    const quoted = "Gr=FC=DFe =80"
    const types = [
      "text/plain",
      "text/plain; charset=utf-8",
      "text/plain; charset=us-ascii",
      "text/plain; charset=8bit"
    ]
    for (const type of types) {
      expect((await message(aMail({ "Content-Type": type }, latin))).body, type).toBe("Grüße €")
      const encoded = { "Content-Type": type, "Content-Transfer-Encoding": "quoted-printable" }
      expect((await message(aMail(encoded, quoted))).body, type).toBe("Grüße €")
      const base64 = { "Content-Type": type, "Content-Transfer-Encoding": "base64" }
      expect((await message(aMail(base64, latin.toString("base64")))).body, type).toBe("Grüße €")
    }
    expect((await message(aMail({}, latin))).body).toBe("Grüße €")
    const html = Buffer.concat([Buffer.from("<p>"), latin, Buffer.from("</p>")])
    expect((await message(aMail({ "Content-Type": "text/html" }, html))).body).toBe("Grüße €")
    const subject = Buffer.concat([
      Buffer.from("From: ada@x.example\r\nSubject: "),
      latin.subarray(0, 5),
      Buffer.from("\r\n\r\nHi")
    ])
    expect((await message(subject)).subject).toBe("Grüße")
  })
  it("is read in the charset of each part, in UTF-8 where only single bytes of it are damaged", async () => {
    const encoding = "Content-Transfer-Encoding: quoted-printable"
    const parts = [
      part("text/plain; charset=utf-8", "Gr=C3=BC=C3=9Fe =C3", encoding),
      part("text/plain; charset=utf-8", "Gr=FC=DFe", encoding),
      part("text/plain; charset=koi8-r", "=CD=C9=D2", encoding),
      part("text/plain; charset=utf-8", "=EF=BF=BD =C3=BC", encoding)
    ]
    expect((await message(aMail(...multipart("mixed", parts)))).body).toBe("Grüße \ufffd\nGrüße\nмир\n\ufffd ü")
    const html = [part("text/plain; charset=utf-8", ""), part("text/html", "<p>Gr=FC=DFe</p>", encoding)]
    expect((await message(aMail(...multipart("alternative", html)))).body).toBe("Grüße")
  })
  it("is converted to text from HTML alone", async () => {
    const html = "<style>p{}</style><p>Hello <b>you</b>,</p><ul><li>one<li>two</ul><script>x()</script>"
    const expected = "Hello you,\n\n * one\n * two"
    expect((await message(aMail({ "Content-Type": "text/html" }, html))).body).toBe(expected)
    const [headers, body] = multipart("alternative", [part("text/html", html)])
    expect((await message(aMail(headers, body))).body).toBe(expected)
  })
  it("is all of its text where its parts have no boundary", async () => {
    const parts = (boundary: string) => multipart("alternative", [part("text/plain", "Is it ready?")], boundary)[1]
    for (const [type, body] of [
      ["multipart/alternative", "Is it ready?"],
      ["multipart/mixed; boundary=edge", "Is it ready?"],
      ["multipart/mixed; boundary=edge", parts("other")],
      ["text", "Is it ready?"]
    ] as const) {
      const { attachments, body: text } = await message(aMail({ "Content-Type": type }, body))
      expect(text, type).toContain("Is it ready?")
      expect(attachments).toEqual([])
    }
    const long = aMail({ "Content-Type": "multipart/mixed" }, "x\r\n".repeat(maxTextBytes))
    expect((await message(long)).body.length).toBeLessThanOrEqual(maxTextBytes)
    // Parts without anything in them.
    const empty = [part("text/plain", ""), part("text/html", "")]
    expect((await message(aMail(...multipart("mixed", empty)))).body).toBe("")
  })
  it("is all of its text where parts within a part have another boundary, or none", async () => {
    const inner = multipart("alternative", [part("text/plain", "Is it ready?")], "other")[1]
    for (const type of ["multipart/alternative; boundary=inner", "multipart/alternative"]) {
      for (const body of [inner, "Is it ready?"]) {
        const { body: text } = await message(
          aMail(...multipart("mixed", [part("text/plain", "Hello."), part(type, body)]))
        )
        expect(text).toMatch(/^Hello\.[\s\S]*Is it ready\?/)
      }
    }
  })
  it("is all of its text where its boundary only ends parts, begins a longer line, or has blanks behind it", async () => {
    for (const body of [
      "Is it ready?\r\n--edge--",
      "--edge--\r\nIs it ready?",
      "--edges\r\nIs it ready?",
      "--edge \r\nIs it ready?"
    ]) {
      const { body: text } = await message(aMail({ "Content-Type": "multipart/mixed; boundary=edge" }, `${body}\r\n`))
      expect(text, body).toContain("Is it ready?")
    }
  })
  it("is its text where that is said to be in base64 and is not", async () => {
    const encoding = { "Content-Transfer-Encoding": "base64" }
    for (const text of ["Is it ready?", "Ist es fertig für mich?", "Hello,\r\nis it ready?"]) {
      expect((await message(aMail(encoding, text))).body).toBe(text.replace("\r", ""))
      const [headers, body] = multipart("mixed", [part("text/plain", text, "Content-Transfer-Encoding: base64")])
      expect((await message(aMail(headers, body))).body).toBe(text.replace("\r", ""))
    }
    for (const text of ["SXMgaXQg\r\ncmVhZHk/", "  SXMgaXQgcmVhZHk/\r\n\r\n"]) {
      expect((await message(aMail(encoding, text))).body).toBe("Is it ready?")
    }
    // A list server added a line that is not encoded.
    expect((await message(aMail(encoding, "SXMgaXQgcmVhZHk/\r\n___\r\nA list"))).body).toMatch(/^Is it ready\?/)
  })
  it("has its HTML as a file where a tag that nothing ends hides text", async () => {
    for (const html of [
      "<style>p{color:red}<p>Is it ready?</p>",
      "<head><STYLE>p{color:red}</head><body>Is it ready?</body>",
      "<p>Hello</p><!-- x <p>Is it ready?</p>",
      "<script>x()<p>Is it ready?</p>",
      '<p style="color:red>Is it ready?</p>',
      '<img src="https://customer.example/1.png">'
    ]) {
      const { attachments } = await message(aMail({ "Content-Type": "text/html" }, html))
      expect(attachments, html).toMatchObject([
        { contentType: "text/html", fileName: "message.html", content: Buffer.from(html) }
      ])
    }
    for (const html of [
      "<html><head><title>Mail</title><style><!-- p{} --></style></head><body>Gr&uuml;&#223;e<o:p></o:p></body></html>",
      "<!--[if gte mso 9]><xml><x>1</x></xml><![endif]--><style>p{}</style><p>1 &lt; 2 <![if !mso]>a<![endif]></p>",
      '<p><a href="https://shop.example/a?b=c">Order 7</a></p><img src="https://shop.example/logo.png">',
      '<a href="https://shop.example" title="Home > Shop">Order 7</a><p title=it\'s>it\'s</p>',
      "<ul><li>one</li></ul><table><tr><th>A</th><td>1</td></tr></table><textarea>text</textarea>",
      "<br>"
    ]) {
      expect((await message(aMail({ "Content-Type": "text/html" }, html))).attachments, html).toEqual([])
    }
  })
  it("has the text before and after the body of HTML", async () => {
    const html = "<html><title>Mail</title><body><p>Hello.</p></body></html><p>Is it ready?</p>"
    const { attachments, body } = await message(aMail({ "Content-Type": "text/html" }, html))
    expect(body).toBe("Hello.\n\nIs it ready?")
    expect(attachments).toEqual([])
  })
  it("is a file of the whole mail where its only text is in none of its parts", async () => {
    const headers = { "Content-Type": "multipart/mixed; boundary=edge" }
    for (const body of [
      "Is it ready?\r\n--edge\r\n\r\n\r\n--edge--\r\n",
      "--edge\r\nIs it ready?\r\n--edge--\r\n",
      "--edge\r\nContent-Type: text/plain\r\nIs it ready?"
    ]) {
      const raw = aMail(headers, body)
      const { attachments, body: text } = await message(raw)
      expect(text).toBe("")
      expect(attachments, body).toMatchObject([{ contentType: "message/rfc822", fileName: "mail.eml", content: raw }])
    }
  })
  it("is read where a byte order mark or empty lines are before its headers", async () => {
    for (const before of ["\ufeff", "\r\n", "\ufeff\n\n"]) {
      expect((await message(Buffer.concat([Buffer.from(before), aMail()]))).body).toBe("Is it ready?")
    }
  })
  it("is its plain text if HTML is an alternative", async () => {
    const [headers, body] = multipart("alternative", [part("text/plain", "plain"), part("text/html", "<p>rich</p>")])
    expect((await message(aMail(headers, body))).body).toBe("plain")
  })
  it("joins text and HTML that are not alternatives", async () => {
    const [headers, body] = multipart("mixed", [part("text/plain", "plain"), part("text/html", "<p>rich</p>")])
    expect((await message(aMail(headers, body))).body).toBe("plain\n\nrich")
  })
  it("keeps HTML that is no alternative, whatever else the mail has", async () => {
    const alternative = (type: string, ...parts: ReadonlyArray<string>) => {
      const [headers, body] = multipart(type, parts, "inner")
      return part(headers["Content-Type"], body)
    }
    const both = [part("text/plain", "plain"), part("text/html", "<p>rich</p>")]
    const html = part("text/html", "<p>more</p>")
    for (const [parts, expected] of [
      [[part("text/plain", "See x.example/alternative"), html], "See x.example/alternative\n\nmore"],
      [
        [part("text/plain", "plain"), part("message/rfc822", `${aMail(...multipart("alternative", both, "x"))}`), html],
        "plain\n\nmore"
      ],
      [[alternative("alternative", ...both), html], "plain\n\nmore"],
      [[html, alternative("alternative", ...both)], "plain\n\nmore"],
      [[alternative("Alternative", ...both)], "plain"],
      [[alternative("alternative", ...both.toReversed())], "plain"]
    ] as const) {
      expect((await message(aMail(...multipart("mixed", parts)))).body, parts.join()).toBe(expected)
    }
  })
  it("is HTML beside a text without anything to read", async () => {
    const base64 = "Content-Transfer-Encoding: base64"
    for (const [type, text, ...headers] of [
      ["iso-2022-jp", "\x1b$B!!\x1b(B"],
      ["utf-16le", Buffer.from("\ufeff \r\n", "utf16le").toString("base64"), base64],
      ["utf-8", Buffer.from("\ufeff\u3000\u2003").toString("base64"), base64],
      ["utf-8", "\r\n \r\n"],
      ["utf-8", "\u200b\u00a0\u034f"],
      ["utf-8", "IA0KDQo=", base64],
      ["utf-8", "=20=\r\n=C2=A0", "Content-Transfer-Encoding: quoted-printable"]
    ] as const) {
      const parts = [part(`text/plain; charset=${type}`, text, ...headers), part("text/html", "<p>rich</p>")]
      expect((await message(aMail(...multipart("alternative", parts)))).body, text).toBe("rich")
    }
  })
  it("has a mail in it as a file of the same bytes", async () => {
    const parts = [part("text/plain", "plain"), part("text/html", "<p>rich</p>")]
    const inner = aMail(...multipart("alternative", parts, "inner"))
    const inline = part("message/rfc822", inner.toString(), "Content-Disposition: inline")
    const { attachments } = await message(aMail(...multipart("mixed", [part("text/plain", "See here."), inline])))
    expect(attachments.map(({ content }) => Buffer.from(content as Uint8Array).toString())).toEqual([inner.toString()])
  })
  it("has its attachments as bytes", async () => {
    const [headers, body] = multipart("mixed", [
      part("text/plain", "See here."),
      part('image/png; name="a.png"', "AAEC", "Content-Transfer-Encoding: base64"),
      part("application/pdf", "pdf", 'Content-Disposition: attachment; filename="b.pdf"'),
      part("message/rfc822", aMail({}, "forwarded").toString())
    ])
    const { attachments, body: text } = await message(aMail(headers, body))
    expect(text).toBe("See here.")
    expect(
      attachments.map(({ content, ...file }) => ({ ...file, bytes: Buffer.from(content as Uint8Array).length }))
    ).toEqual([
      { type: "image", contentType: "image/png", fileName: "a.png", bytes: 3 },
      { type: "document", contentType: "application/pdf", fileName: "b.pdf", bytes: 3 },
      { type: "document", contentType: "message/rfc822", fileName: null, bytes: expect.any(Number) }
    ])
  })
  it("has text files as files, also those that are shown in the text", async () => {
    const long = "a\r\n".repeat(100_000)
    const files = [
      part("text/plain", long, 'Content-Disposition: inline; filename="a.log"'),
      part('text/plain; name="b.txt"', "Gr=FC=DFe", "Content-Transfer-Encoding: quoted-printable"),
      part("text/html", "<p>c</p>", "Content-Disposition: INLINE;\r\n filename*=\"utf-8''%C3%BC.html\""),
      part("text/plain", "d", 'Content-Disposition: inline; filename="=?utf-8?q?=C3=BC.txt?="')
    ]
    const { attachments, body } = await message(
      aMail(...multipart("mixed", [part("text/plain", "See here."), ...files]))
    )
    expect(body).toBe("See here.")
    const found = attachments.map(({ content, contentType, fileName }) => [
      contentType,
      fileName,
      Buffer.from(content as Uint8Array).toString("latin1")
    ])
    expect(found).toEqual([
      ["text/plain", "a.log", long],
      ["text/plain", "b.txt", "Grüße"],
      ["text/html", "ü.html", "<p>c</p>"],
      ["text/plain", "ü.txt", "d"]
    ])
  })
  it("is its text where that has the name of a file", async () => {
    const named = 'Content-Disposition: inline; filename="mail.txt"'
    expect((await message(aMail({ "Content-Type": "text/plain; name=mail.txt" }))).body).toBe("Is it ready?")
    const alternatives = [part("text/plain", "", named), part("text/html; name=mail.html", "<p>Is it ready?</p>")]
    for (const [kind, parts] of [
      ["mixed", [part("text/plain", "Is it ready?", named)]],
      ["alternative", alternatives]
    ] as const) {
      expect(await message(aMail(...multipart(kind, parts)))).toMatchObject({ body: "Is it ready?", attachments: [] })
    }
  })
  it("has our quoted mail removed from a reply, and nothing else", async () => {
    const answer = "Yes.\n\nOn 4 May, The Bakery wrote:\n> Shall we?"
    expect((await message(aMail({ "In-Reply-To": ourMail }, answer))).body).toBe("Yes.")
    expect(await message(aMail({ References: `<a@b.example> ${ourMail}` }, answer))).toMatchObject({
      body: "Yes.",
      fullText: answer
    })
    expect(await message(aMail({}, answer))).toMatchObject({ body: answer, fullText: null })
  })
  it("has our quoted mail removed where our SMTP server replaced its id", async () => {
    const stop = "STOP\n\nOn Mon, 4 May 2026 at 09:00, The Bakery <hello@bakery.example> wrote:\n> Bread is half price."
    const replaced = "<0102018f-1234-000000@eu-west-1.amazonses.com>"
    expect(await message(aMail({ "In-Reply-To": replaced }, stop))).toMatchObject({ body: "STOP", fullText: stop })
  })
  it("keeps the quote of a forwarded mail, which is the message", async () => {
    const text = "See below.\n\nFrom: The Bakery\nSent: Monday\nSubject: Bread\n\nShall we?"
    for (const subject of ["FW: Bread", "Fwd: Bread", "WG: Brot", "TR : Pain", "RV: Pan"]) {
      expect(await message(aMail({ "In-Reply-To": ourMail, Subject: subject }, text))).toMatchObject({ body: text })
    }
    expect(await message(aMail({ "In-Reply-To": ourMail }, text))).toMatchObject({ body: "See below." })
  })
  it("has its signature removed, above and below a quote", async () => {
    const signed = "Stop\n\nSent from my iPhone"
    expect(await message(aMail({}, signed))).toMatchObject({ body: "Stop", fullText: signed })
    for (const answer of [
      "Yes.\n\n-- \nAda\n\nOn 4 May, The Bakery wrote:\n> Shall we?",
      "Yes.\n\nOn 4 May, The Bakery wrote:\n> Shall we?\n\n-- \nAda"
    ]) {
      expect(await message(aMail({ "In-Reply-To": ourMail }, answer))).toMatchObject({ body: "Yes.", fullText: answer })
    }
  })
  it("is found in the HTML of Outlook, without its quote", async () => {
    const html = `<p>Yes.</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>Von:</b> Grace<br><b>Gesendet:</b>
      Montag<br><b>An:</b> Ada<br><b>Betreff:</b> Brot</div><div>Sollen wir?</div>`
    expect(await message(aMail({ "In-Reply-To": ourMail, "Content-Type": "text/html" }, html))).toMatchObject({
      body: "Yes.",
      fullText: expect.stringContaining("Sollen wir?")
    })
  })
  it("unsubscribes with the signed id of our mail only, which is not shown", async () => {
    const events = await reported(aMail({ Subject: `Unsubscribe ${signedId.toUpperCase()}` }, "Sent by a program"))
    expect(events).toMatchObject([
      { _tag: "Message", subject: "unsubscribe" },
      { _tag: "Unsubscribe", signedId: signedId.toUpperCase() }
    ])
    for (const subject of ["unsubscribe", `unsubscribe ${signedId}0`, `unsubscribe ${ourId}`, `Re: ${signedId}`]) {
      const others = await reported(aMail({ Subject: subject }, ""))
      expect(others, subject).toMatchObject([{ _tag: "Message", subject }])
      expect(others).toHaveLength(1)
    }
  })
  it("has a sender that its server proved, where one is named", async () => {
    const at = (results: string) => aMail({ "Authentication-Results": `mx.bakery.example; ${results}` })
    const config = { ...bakery.config, authserv_id: "mx.bakery.example" }
    for (const [results, senderProven] of [
      ["dmarc=pass header.from=customer.example", true],
      ["dmarc=fail header.from=customer.example", false]
    ] as const) {
      expect(await Effect.runPromise(mailEvents({ ...bakery, config }, at(results), now))).toMatchObject([
        { senderProven }
      ])
    }
  })
  it("never has the id of one of our mails, whose receipts it would take", async () => {
    expect((await message(aMail({ "Message-ID": ourMail }))).providerMessageId).not.toBe(ourMail)
  })
  it("is not suppressed by a stranger's mail that had its Message-ID first", async () => {
    const id = (raw: Buffer) => Effect.map(mailEvents(checked, raw, now), ([event]) => idOf(event))
    const checked = { ...bakery, config: { ...bakery.config, authserv_id: "mx.bakery.example" } }
    const proof = { "Authentication-Results": "mx.bakery.example; dmarc=pass header.from=customer.example" }
    const [headers, body] = multipart("mixed", [part("text/plain", "STOP"), part("image/png", "a")])
    const [, otherFile] = multipart("mixed", [part("text/plain", "STOP"), part("image/png", "b")])
    const real = await Effect.runPromise(id(aMail({ ...proof, ...headers }, body)))
    const forged = [
      aMail({ ...headers, From: "mallory@evil.example" }, body),
      aMail(headers, body),
      aMail({ ...proof, ...headers, From: "Ada <ada@customer.example>" }, body),
      aMail({ ...proof, ...headers, Precedence: "bulk" }, body),
      aMail({ ...proof, ...headers, "In-Reply-To": ourMail }, body),
      aMail({ ...proof, ...headers, "Reply-To": "mallory@evil.example" }, body),
      aMail({ ...proof, ...headers, Subject: "Another" }, body),
      aMail({ ...proof, ...headers, Date: "Mon, 04 May 2026 08:30:01 +0000" }, body),
      aMail({ ...proof, ...headers }, body.replace("STOP", "Hello")),
      aMail({ ...proof, ...headers }, body.replace("image/png", "image/gif")),
      aMail({ ...proof, ...headers }, otherFile)
    ]
    const ids = await Effect.runPromise(Effect.forEach(forged, id))
    expect(new Set([real, ...ids]).size).toBe(forged.length + 1)
  })
  it("has the same id when it is delivered again, by another way or in another encoding", async () => {
    const first = await message(aMail({ "Delivered-To": "hello@bakery.example" }, "Is it ready?\r\n"))
    for (const again of [
      aMail({ Received: "from a.example by b.example; Mon, 04 May 2026 09:00:00 +0000" }, "Is it ready?\r\n"),
      aMail({ "Content-Transfer-Encoding": "base64" }, Buffer.from("Is it ready?\r\n").toString("base64")),
      aMail({ Subject: "My\r\n order" }, "Is it ready?\r\n")
    ]) {
      expect((await message(again)).providerMessageId).toBe(first.providerMessageId)
    }
  })
})

describe("a mail through a list or a contact form", () => {
  const lists = ["Group@bakery.example", "hello@bakery.example"]
  const config = { ...bakery.config, lists, forms: ["form@web.example", "hello@bakery.example"] }
  const received = async (
    headers: { readonly [name: string]: string },
    given: Partial<Business["config"]> = config
  ) => {
    const business = { ...bakery, config: { ...bakery.config, ...given } }
    const [event] = await Effect.runPromise(mailEvents(business, aMail(headers), now))
    return event?._tag === "Unknown" ? event.kind : event
  }
  const rewritten = {
    From: "'Ada' via Group <group@bakery.example>",
    "X-Original-From": "Ada <ada@customer.example>",
    "Reply-To": "eve@x.example",
    "List-Id": "<group.bakery.example>",
    Precedence: "list"
  }
  const ada = { from: "ada@customer.example", displayName: "Ada", automatic: false }

  it("is from the author, if the connection names the list", async () => {
    expect(await received(rewritten)).toMatchObject(ada)
    expect(await received({ ...rewritten, From: "hello@bakery.example" })).toMatchObject(ada)
    const asSent = { from: "group@bakery.example", automatic: true }
    expect(await received(rewritten, {})).toMatchObject(asSent)
    expect(await received({ ...rewritten, From: "mallory@evil.example" })).toMatchObject({
      from: "mallory@evil.example"
    })
    const several = `ada@customer.example\r\nX-Original-From: eve@x.example`
    expect(await received({ ...rewritten, "X-Original-From": several })).toMatchObject({ from: "group@bakery.example" })
    expect(await received({ ...rewritten, "X-Original-From": "none" })).toMatchObject({ from: "group@bakery.example" })
  })
  it("is not automatic because the list is one, if the connection names it", async () => {
    const listed = { "List-Id": "<group.bakery.example>", Precedence: "list" }
    for (const to of [{ To: "group@bakery.example" }, { Cc: "x@y.example, Group@Bakery.example" }]) {
      expect(await received({ ...listed, ...to })).toMatchObject({ automatic: false })
      expect(await received({ ...listed, ...to }, {})).toMatchObject({ automatic: true })
      expect(await received({ ...listed, ...to, "Auto-Submitted": "auto-replied" })).toMatchObject({ automatic: true })
    }
    const posted = { ...listed, To: "x@y.example", "List-Post": "<https://x.example>, <mailto:group@bakery.example>" }
    expect(await received(posted)).toMatchObject({ automatic: false })
  })
  it("is received from our own address, if a person wrote it, and starts nothing", async () => {
    const own = { From: "The Bakery <hello@bakery.example>", To: "group@bakery.example" }
    expect(await received(own, { lists })).toMatchObject({ from: "hello@bakery.example", automatic: true })
    const returned = { ...rewritten, "X-Original-From": "hello@bakery.example" }
    expect(await received(returned)).toMatchObject({ from: "hello@bakery.example", automatic: true })
    expect(await received({ ...own, "Message-ID": ourMail }, { lists })).toBe("own mail")
    expect(await received({ ...returned, "Message-ID": ourMail })).toBe("own mail")
    expect(await received(own, {})).toBe("own mail")
    expect(await received({ ...own, To: "ada@customer.example" }, { lists })).toBe("own mail")
  })
  it("is from the address in Reply-To, if the connection names the form", async () => {
    const form = { From: "Website <form@web.example>", "Reply-To": "Ada <ada@customer.example>" }
    expect(await received(form)).toMatchObject(ada)
    expect(await received({ ...form, From: "hello@bakery.example" })).toMatchObject(ada)
    expect(await received(form, {})).toMatchObject({ from: "form@web.example", mail: { replyTo: [form["Reply-To"]] } })
    expect(await received({ ...form, "Reply-To": "hello@bakery.example" })).toMatchObject({ from: "form@web.example" })
    expect(await received({ From: "form@web.example" })).toMatchObject({ from: "form@web.example" })
    expect(await received({ ...form, From: "Ada <a@x.example>" })).toMatchObject({ from: "a@x.example" })
  })
  it("is no report because the list or form has an address of mail servers", async () => {
    const [form, list] = ["postmaster@web.example", "mailer-daemon@bakery.example"]
    const given = { forms: [form], lists: [list] }
    const toForm = { From: form, "Reply-To": "Ada <ada@customer.example>" }
    expect(await received(toForm, given)).toMatchObject(ada)
    expect(await received({ ...rewritten, From: list }, given)).toMatchObject({ from: "ada@customer.example" })
    expect(await received(toForm)).toBe("report")
    expect(await received({ From: form }, given)).toBe("report")
  })
  it("is not from a proven writer: the server checked the list or form", async () => {
    const checked = { ...config, authserv_id: "mx.bakery.example" }
    const passed = (domain: string) => ({
      "Authentication-Results": `mx.bakery.example; dmarc=pass header.from=${domain}`
    })
    const form = { From: "form@web.example", "Reply-To": "ada@customer.example", ...passed("web.example") }
    expect(await received(form, checked)).toMatchObject({ senderProven: false })
    expect(await received({ ...rewritten, ...passed("bakery.example") }, checked)).toMatchObject({
      senderProven: false
    })
    expect(await received(rewritten, config)).toMatchObject({ senderProven: true })
  })
})

describe("an automatic mail", () => {
  const marks: ReadonlyArray<{ readonly [name: string]: string }> = [
    { "Auto-Submitted": "auto-replied" },
    { "Auto-Submitted": "auto-generated; owner=x" },
    { Precedence: "Bulk" },
    { "List-Id": "News <news.customer.example>" },
    { "X-Auto-Response-Suppress": "All" },
    { "Return-Path": "<>" }
  ]
  it("is marked", async () => {
    for (const headers of marks) expect((await message(aMail(headers))).automatic, JSON.stringify(headers)).toBe(true)
  })
  it("is not assumed for mails of people", async () => {
    const headers = { "Auto-Submitted": "no", Precedence: "first-class", "Return-Path": "<ada@customer.example>" }
    expect((await message(aMail(headers))).automatic).toBe(false)
  })
})

describe("a report that a customer forwards", () => {
  const status = part(
    "message/delivery-status",
    "Reporting-MTA: dns; mx.x.example\r\n\r\nFinal-Recipient: rfc822; hello@bakery.example\r\nAction: failed\r\nStatus: 5.1.1"
  )
  const [headers, body] = multipart("mixed", [part("text/plain", "You did not get this. Please cancel."), status])

  it("is a file of the customer's mail", async () => {
    expect(await message(aMail(headers, body))).toMatchObject({
      body: "You did not get this. Please cancel.",
      attachments: [{ contentType: "message/delivery-status" }]
    })
  })
  it("is a report where the mail is automatic", async () => {
    expect(await reported(aMail({ ...headers, "Return-Path": "<>" }, body))).toMatchObject([
      { _tag: "Unknown", kind: "report" }
    ])
  })
})

describe("a mail that is not from a customer", () => {
  it("is stored raw: our own mail, one without a sender, an unreadable one", async () => {
    const mails: ReadonlyArray<readonly [kind: string, raw: Uint8Array]> = [
      ["own mail", aMail({ From: "HELLO@bakery.example" })],
      ["own mail", aMail({ From: "The Bakery <answers@bakery.example>" })],
      ["no sender", aMail({ From: "" })],
      ["no sender", aMail({ From: "undisclosed-recipients:;" })],
      ["unreadable", Buffer.from("\u0000\u0001 no mail at all")],
      ["report", aMail({ From: "MAILER-DAEMON@mx.example" }, "It bounced.")]
    ]
    for (const [kind, raw] of mails) {
      expect(await reported(raw)).toEqual([{ _tag: "Unknown", kind, raw: Buffer.from(raw).toString() }])
    }
  })
})

describe("a delivery report", () => {
  it("is read where addresses have UTF-8 in them", async () => {
    const [headers, body] = multipart("report; report-type=delivery-status", [
      part("text/plain", "I'm sorry to have to tell you."),
      part(
        "message/global-delivery-status",
        "Reporting-MTA: dns; mx.x.example\r\n\r\nFinal-Recipient: rfc822; ada@customer.example\r\nAction: failed\r\nStatus: 5.1.1"
      ),
      part("message/global-headers", `Message-ID: ${ourMail}\r\nSubject: Größe`)
    ])
    expect(await reported(aMail({ ...headers, From: "MAILER-DAEMON@mx.customer.example" }, body))).toMatchObject([
      { _tag: "Receipt", messageId: ourId, receipt: { status: "failed" } }
    ])
  })
  const receipts = async (...given: Parameters<typeof aReport>) => {
    const events = await reported(aReport(...given))
    return events.map((event) => (event._tag === "Receipt" ? event : event._tag))
  }
  it("reports the failure, time and reason of our mail", async () => {
    expect(await receipts("failed", { returned: ourMail })).toEqual([
      {
        _tag: "Receipt",
        providerMessageId: ourMail,
        messageId: ourId,
        receipt: {
          status: "failed",
          at: Date.UTC(2026, 4, 4, 8, 31),
          error: { code: "provider_error", message: "The recipient's address does not exist." }
        },
        evidence: {
          signedId: null,
          needsSignedId: false,
          originalRecipient: null,
          finalRecipient: "ada@customer.example"
        }
      }
    ])
  })
  it("reports a delivery", async () => {
    expect(await receipts("delivered", { returned: ourMail })).toMatchObject([{ receipt: { status: "delivered" } }])
  })
  it("finds the mail by its envelope id", async () => {
    expect(await receipts("failed", { envelopeId: ourId })).toMatchObject([
      { messageId: ourId, providerMessageId: ourMail }
    ])
  })
  it("has the signed id of its envelope", async () => {
    expect(await receipts("failed", { envelopeId: signedId })).toMatchObject([
      { messageId: ourId, providerMessageId: ourMail, evidence: { signedId, needsSignedId: false } }
    ])
  })
  it("is not about two mails: a signed id is no proof about another one", async () => {
    const other = `<01900000-0000-7000-8000-000000000002@bakery.example>`
    expect(await receipts("failed", { envelopeId: signedId, returned: other })).toEqual(["Unknown"])
    expect(await receipts("failed", { envelopeId: signedId, returned: ourMail })).toMatchObject([{ messageId: ourId }])
  })
  it("names its recipients as servers write them", async () => {
    const recipientsOf = async (recipient: string, original?: string) => {
      const [event] = await receipts("failed", { returned: ourMail, recipient, ...(original ? { original } : {}) })
      if (typeof event !== "object") throw new Error("no receipt")
      return [event.evidence?.finalRecipient, event.evidence?.originalRecipient]
    }
    expect(await recipientsOf("RFC822;<Ada@customer.example>")).toEqual(["Ada@customer.example", null])
    expect(await recipientsOf("utf-8; ada@x.example", "rfc822;ada+2Bshop@customer.example")).toEqual([
      "ada@x.example",
      "ada+shop@customer.example"
    ])
    for (const jörg of [
      "utf-8; jörg@customer.example",
      "utf-8; j\\x{F6}rg@customer.example",
      "rfc822; j+C3+B6rg@customer.example"
    ]) {
      expect(await recipientsOf("rfc822; ada+83@x.example", jörg)).toEqual([
        "ada+83@x.example",
        "jörg@customer.example"
      ])
    }
    for (const odd of ["utf-8; j\\x{110000}g@x.example", "rfc822; j+C3@x.example"]) {
      expect(await recipientsOf(odd)).toEqual([odd.slice(odd.indexOf(" ") + 1), null])
    }
    for (const other of ["ada@customer.example", "x400; ada", "rfc822;"]) {
      expect(await recipientsOf(other)).toEqual([null, null])
    }
  })
  describe("where mails have a return path of their own", () => {
    const config = { ...bakery.config, return_path: "Bounces+*@bakery.example" }
    const evidenceOf = async (headers: { readonly [name: string]: string }) => {
      const report = aReport("failed", { returned: ourMail, headers })
      const [event] = await Effect.runPromise(mailEvents({ ...bakery, config }, report, now))
      return event?._tag === "Receipt" ? event.evidence : undefined
    }
    it("needs the signed id, which it has by the address that it was sent to", async () => {
      const to = `bounces+${signedId.toUpperCase()}@BAKERY.example`
      for (const headers of [
        { To: `<${to}>` },
        { To: "hello@bakery.example", "Delivered-To": to },
        { To: `"a, b" <a@b.example>, ${to}` },
        { To: "hello@bakery.example", "X-Original-To": to }
      ]) {
        expect(await evidenceOf(headers), JSON.stringify(headers)).toMatchObject({ signedId, needsSignedId: true })
      }
    })
    it("has none by other addresses", async () => {
      for (const to of [
        "hello@bakery.example",
        `bounces+${signedId}@bakery.example.evil.example`,
        `xbounces+${signedId}@bakery.example`,
        `bounces+${signedId}0@bakery.example`,
        "bounces+@bakery.example"
      ]) {
        expect(await evidenceOf({ To: to }), to).toMatchObject({ signedId: null, needsSignedId: true })
      }
    })
  })
  it("needs a signed id if the named server did not prove its sender", async () => {
    const config = { ...bakery.config, authserv_id: "mx.bakery.example" }
    const needs = async (results: string) => {
      const headers = { "Authentication-Results": `mx.bakery.example; ${results}` }
      const report = aReport("failed", { returned: ourMail, headers })
      const [event] = await Effect.runPromise(mailEvents({ ...bakery, config }, report, now))
      return event?._tag === "Receipt" ? event.evidence?.needsSignedId : undefined
    }
    expect(await needs("dmarc=none; spf=pass smtp.helo=mx.customer.example")).toBe(false)
    expect(await needs("dmarc=none; spf=pass smtp.helo=mx.evil.example")).toBe(true)
    expect(await needs("none")).toBe(true)
  })
  it("of a complaint changes nothing", async () => {
    const [headers, body] = multipart("report; report-type=feedback-report", [
      part("message/feedback-report", "Feedback-Type: abuse\r\nOriginal-Rcpt-To: ada@customer.example"),
      part("message/rfc822", aMail({ "Message-ID": ourMail }).toString())
    ])
    expect((await reported(aMail(headers, body))).map(({ _tag }) => _tag)).toEqual(["Unknown"])
  })
  it("has a future time replaced by now", async () => {
    const [event] = await receipts("failed", { returned: ourMail, date: "Mon, 04 May 2099 08:31:00 +0000" })
    expect(event).toMatchObject({ receipt: { at: now } })
  })
  it("is stored raw if it is not about our mail", async () => {
    expect(await receipts("delayed", { returned: ourMail })).toEqual(["Unknown"])
    expect(await receipts("failed", { returned: `<${ourId}@other.example>` })).toEqual(["Unknown"])
    expect(await receipts("failed", { returned: "<a@bakery.example>" })).toEqual(["Unknown"])
    expect(await receipts("failed")).toEqual(["Unknown"])
  })
})
