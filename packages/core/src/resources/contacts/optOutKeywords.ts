/** Keywords for opt-out and opt-in. A keyword must be the whole message. */
export interface OptOutKeywords {
  readonly stop: ReadonlyArray<string>
  readonly start: ReadonlyArray<string>
}

/**
 * Keywords by language. Words that also answer a question (`cancel`, `end`, `no`) are omitted on purpose. Case, accents
 * and surrounding punctuation do not matter.
 */
export const optOutKeywords: { readonly [language: string]: OptOutKeywords } = {
  ar: { stop: ["إلغاء الاشتراك", "أوقف الرسائل"], start: ["اشتراك", "ابدأ"] },
  de: {
    stop: ["stopp", "abmelden", "abbestellen", "austragen", "keine nachrichten mehr"],
    start: ["anmelden", "wieder anmelden"]
  },
  en: {
    stop: ["stop", "stop all", "stopall", "unsubscribe", "opt out", "opt-out", "optout"],
    start: ["start", "unstop", "resubscribe", "opt in", "opt-in", "optin"]
  },
  es: {
    stop: ["baja", "darme de baja", "cancelar suscripción", "parar mensajes"],
    start: ["alta", "darme de alta"]
  },
  fr: {
    stop: ["arrêt", "arrêter", "désabonner", "me désabonner", "désabonnement", "désinscription"],
    start: ["réabonner", "me réabonner", "réabonnement"]
  },
  it: { stop: ["disiscrivimi", "annulla iscrizione", "cancella iscrizione"], start: ["iscrivimi", "riattiva"] },
  ja: { stop: ["配信停止"], start: ["配信再開"] },
  nl: { stop: ["afmelden", "uitschrijven"], start: ["aanmelden", "opnieuw aanmelden"] },
  pl: { stop: ["wypisz", "wypisz mnie", "rezygnuję"], start: ["zapisz mnie"] },
  pt: {
    stop: ["sair", "descadastrar", "parar mensagens", "cancelar inscrição"],
    start: ["reativar", "voltar a receber"]
  },
  ru: { stop: ["стоп", "отписаться", "отпишите меня"], start: ["старт", "подписаться"] },
  tr: { stop: ["durdur", "abonelikten çık", "abonelikten çıkar"], start: ["başlat", "yeniden başlat"] },
  uk: { stop: ["стоп", "відписатися"], start: ["старт", "підписатися"] },
  zh: { stop: ["退订", "退訂"], start: ["订阅", "訂閱"] }
}
