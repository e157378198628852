"use strict"
const form = document.querySelector("form")
const today = new Date()
const twoDigits = number => String(number).padStart(2, "0")
form.elements.reviewed.value = [today.getFullYear(), twoDigits(today.getMonth() + 1), twoDigits(today.getDate())].join("-")

const requireText = field => field.setCustomValidity(field.value.trim() ? "" : "Please fill in this field.")
const read = part => ({
  decision: part.querySelector("input[type=radio]:checked").value,
  reason: part.querySelector("textarea").value.trim(),
})

const save = answer => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([JSON.stringify(answer, null, 2) + "\n"], {type: "application/json"}))
  link.download = "review.json"
  link.click()
  document.querySelector("#saved").textContent = "Saved as review.json. Send this file back to the data holder."
}

form.addEventListener("submit", event => {
  event.preventDefault()
  form.querySelectorAll("textarea, input[name=reviewer]").forEach(requireText)
  if (!form.reportValidity()) return
  save({
    format: "lookalike review 1",
    subject: JSON.parse(form.dataset.subject),
    ...read(form.querySelector("#release")),
    reviewer: form.elements.reviewer.value.trim(),
    reviewed: form.elements.reviewed.value,
    decisions: [...form.querySelectorAll("fieldset[data-finding]")].map(part => ({
      finding: part.dataset.finding,
      sentence: part.dataset.sentence,
      ...read(part),
    })),
  })
})
form.querySelector("button").disabled = false
