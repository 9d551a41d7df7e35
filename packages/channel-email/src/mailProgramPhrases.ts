/** The beginning of the subject of a forwarded mail, whose quoted mail is the message. */
export const forwarded = /^(fwd?|wg|tr|rv|enc|doorst|vb|pd)\s*:/i

/** The beginning of a line that introduces a quoted mail. */
export const opening = /^(on|am|le|el|il|em|op|den|på|dnia) /i
/** The verb of a line that introduces a quoted mail. */
export const wrote = / (wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev|napisał)/i

/** The text between the dashes over a quoted mail. */
export const dividers = new Set([
  "original message",
  "original appointment",
  "ursprüngliche nachricht",
  "originalnachricht",
  "message d'origine",
  "message original",
  "mensaje original",
  "messaggio originale",
  "mensagem original",
  "oorspronkelijk bericht",
  "ursprungligt meddelande",
  "oprindelig meddelelse",
  "opprinnelig melding",
  "wiadomość oryginalna"
])

/** What a line is in the block of headers over a quoted mail. An empty line ends it. */
export type Header = "from" | "sent" | "subject" | "end"

/** The labels of headers over a quoted mail. */
export const labels = new Map<string, Header>([
  ...["from", "von", "de", "da", "van", "från", "fra", "od"].map((label) => [label, "from"] as const),
  ...["sent", "date", "gesendet", "datum", "envoyé", "enviado", "enviado el", "fecha", "inviato", "data"].map(
    (label) => [label, "sent"] as const
  ),
  ...["verzonden", "skickat", "sendt", "wysłano"].map((label) => [label, "sent"] as const),
  ...["subject", "betreff", "objet", "asunto", "assunto", "oggetto", "onderwerp", "ämne", "emne", "temat"].map(
    (label) => [label, "subject"] as const
  )
])

/** The beginning of a line that a program or phone adds under a mail. */
export const addedBy =
  /^(sent (from|via|with)|get outlook|gesendet (von|mit)|von mein|diese nachricht wurde von|holen sie sich outlook|outlook für|envoyé (de|depuis|avec|à partir)|obten(ez|ir) outlook|télécharge[rz] outlook|enviado (desde|do|de|con)|obt(é|e)n(er|ga)? outlook|descarg(ar|ue) outlook|inviato da|scarica outlook|verzonden|verstuurd|outlook voor|skickat från|sendt fra|wysłane z) ?/i

/** Names of programs and devices. */
export const program =
  /\b(i?phone|ipad|android|galaxy|samsung|huawei|xiaomi|pixel|blackberry|smartphone|mobile|handy|outlook|mail|courrier|correo|gmail|thunderbird|yahoo|gmx|proton)\b/i
