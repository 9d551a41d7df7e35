import { makeApi } from "./Api.js"
import { makeChat } from "./Chat.js"
import { makeLocale } from "./Locale.js"
import { makePanel } from "./Panel.js"
import { keyFor, stored } from "./storage.js"

/**
 * The script tag may identify the visitor, with `data-customer`, `data-signature` and `data-name`, and give
 * `data-language`.
 */
const start = (script: HTMLScriptElement): void => {
  const { customer, signature, name, language } = script.dataset
  const base = script.src.replace(/\/widget\.js.*$/, "")
  const key = keyFor(base, customer || null)
  const api = makeApi(base, key, { customer, signature, name })
  const panel = makePanel(
    // The site knows its customers.
    customer ? { ...SETTINGS, preChat: [] } : SETTINGS,
    makeLocale(language, SETTINGS.labels),
    stored(() => sessionStorage, `${key} open`),
    stored(() => localStorage, `${key} introduced`),
    {
      opened: () => chat.begin(),
      seen: () => chat.seen(),
      sent: (text, quoted) => chat.send(text, quoted),
      introduced: (form) => chat.introduce(form),
      picked: (files) => chat.sendFiles(files),
      selected: (id, option) => chat.choose(id, option),
      retried: (id) => chat.retry(id),
      earlier: () => chat.earlier()
    }
  )
  const chat = makeChat(api, panel, base, key)
  document.body.append(panel.element)
  panel.restore()
  // A new visitor has no messages until they write one.
  if (api.isKnown()) chat.begin()
}

const script = document.currentScript
// A page that includes the tag twice has one chat.
if (script instanceof HTMLScriptElement && document.querySelector("parley-webchat") === null) {
  if (document.body) start(script)
  else addEventListener("DOMContentLoaded", () => start(script))
}
