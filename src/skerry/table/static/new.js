// Fields of seats that nobody has, with so few players, are put aside.
const players = document.getElementById("option-players");

function fit() {
  for (const field of document.querySelectorAll("[data-seat]")) {
    field.hidden = Number(field.dataset.seat) >= Number(players.value);
    for (const input of field.querySelectorAll("select, input")) input.disabled = field.hidden;
  }
}

players?.addEventListener("input", fit);
if (players) fit();
