// A soft tone: two notes, a third apart, that fade in and out.

const NOTES = [
  { frequency: 523, start: 0 },
  { frequency: 659, start: 0.14 },
];
const LOUDNESS = [
  { level: 0.0001, at: 0 },
  { level: 0.08, at: 0.04 },
  { level: 0.0001, at: 0.5 },
];
const LENGTH = 0.5; // seconds

export function playTone() {
  const audio = new AudioContext();
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  for (const { frequency, start } of NOTES) oscillator.frequency.setValueAtTime(frequency, start);
  for (const { level, at } of LOUDNESS) gain.gain.exponentialRampToValueAtTime(level, at);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.onended = () => audio.close();
  oscillator.start();
  oscillator.stop(LENGTH);
}
