//! Records the victims of known answer on this machine, a line of JSON each, as the fixtures of the tests are:
//! `cargo run --release -p proofmark-sampler --example record > crates/sampler/tests/fixtures/PROCESSOR.jsonl`

use proofmark_sampler::{probe, record};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (recorded, loss) = record(&probe()?)?;
    eprintln!("{loss:?}");
    for victim in recorded {
        println!("{}", serde_json::to_string(&victim)?);
    }
    Ok(())
}
