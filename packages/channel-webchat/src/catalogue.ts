// cspell:disable
import type { Labels } from "./Labels.js"

/** The labels that a connection does not set, by language. */
export const catalogue = {
  en: {
    open: "Chat with us",
    close: "Close the chat",
    message: "Your message",
    send: "Send",
    earlier: "Earlier messages",
    connecting: "Connecting…",
    offline: "No connection. Trying again…",
    sending: "Sending…",
    retry: "Not sent. Try again",
    unread: "unread",
    you: "You",
    typing: "Typing…",
    attach: "Attach files",
    file: "File",
    refused: "cannot be sent: it is too large or of another type"
  },
  de: {
    open: "Chat öffnen",
    close: "Chat schließen",
    message: "Ihre Nachricht",
    send: "Senden",
    earlier: "Frühere Nachrichten",
    connecting: "Verbindung wird hergestellt…",
    offline: "Keine Verbindung. Neuer Versuch…",
    sending: "Wird gesendet…",
    retry: "Nicht gesendet. Erneut versuchen",
    unread: "ungelesen",
    you: "Sie",
    typing: "Schreibt…",
    attach: "Dateien anhängen",
    file: "Datei",
    refused: "kann nicht gesendet werden: zu groß oder von einem anderen Typ"
  },
  es: {
    open: "Chatea con nosotros",
    close: "Cerrar el chat",
    message: "Tu mensaje",
    send: "Enviar",
    earlier: "Mensajes anteriores",
    connecting: "Conectando…",
    offline: "Sin conexión. Reintentando…",
    sending: "Enviando…",
    retry: "No enviado. Reintentar",
    unread: "sin leer",
    you: "Tú",
    typing: "Escribiendo…",
    attach: "Adjuntar archivos",
    file: "Archivo",
    refused: "no se puede enviar: es demasiado grande o de otro tipo"
  },
  fr: {
    open: "Discuter avec nous",
    close: "Fermer la discussion",
    message: "Votre message",
    send: "Envoyer",
    earlier: "Messages précédents",
    connecting: "Connexion…",
    offline: "Pas de connexion. Nouvel essai…",
    sending: "Envoi…",
    retry: "Non envoyé. Réessayer",
    unread: "non lus",
    you: "Vous",
    typing: "En train d’écrire…",
    attach: "Joindre des fichiers",
    file: "Fichier",
    refused: "ne peut pas être envoyé : trop volumineux ou d’un autre type"
  },
  pt: {
    open: "Fale conosco",
    close: "Fechar o chat",
    message: "Sua mensagem",
    send: "Enviar",
    earlier: "Mensagens anteriores",
    connecting: "Conectando…",
    offline: "Sem conexão. Tentando de novo…",
    sending: "Enviando…",
    retry: "Não enviada. Tentar de novo",
    unread: "não lidas",
    you: "Você",
    typing: "Digitando…",
    attach: "Anexar arquivos",
    file: "Arquivo",
    refused: "não pode ser enviado: é grande demais ou de outro tipo"
  },
  ar: {
    open: "تحدث معنا",
    close: "إغلاق المحادثة",
    message: "رسالتك",
    send: "إرسال",
    earlier: "رسائل سابقة",
    connecting: "جارٍ الاتصال…",
    offline: "لا يوجد اتصال. جارٍ إعادة المحاولة…",
    sending: "جارٍ الإرسال…",
    retry: "لم تُرسل. حاول مرة أخرى",
    unread: "غير مقروءة",
    you: "أنت",
    typing: "يكتب الآن…",
    attach: "إرفاق ملفات",
    file: "ملف",
    refused: "لا يمكن إرساله: حجمه كبير أو نوعه غير مقبول"
  }
} satisfies { readonly [language: string]: Labels }

/** A language of the catalogue. */
export type Language = keyof typeof catalogue

/** The first of these languages (BCP 47 tags such as `de-AT`) that the catalogue has; else English. */
export const languageOf = (tags: ReadonlyArray<string>): Language => {
  for (const tag of tags) {
    const language = tag.toLowerCase().split("-", 1).join()
    if (Object.hasOwn(catalogue, language)) return language as Language
  }
  return "en"
}
